import type { Subscription } from '@tollgate/node';

type Names = { customer: string; method: string | undefined; cost: string };

/** `Ada Lovelace pays €19.00 per month with Visa •••• 4242.` */
export function storyOfSubscription(status: Subscription['status'], { customer, method, cost }: Names): string {
  const terms = `${cost}${method === undefined ? '' : ` with ${method}`}`;
  const stories: Record<Subscription['status'], string> = {
    incomplete: `${customer} has not made the first payment yet, of ${terms}.`,
    trialing: `${customer} tries it free of charge, then pays ${terms}.`,
    active: `${customer} pays ${terms}.`,
    past_due: `${customer} pays ${terms}, and the last charge has failed.`,
    unpaid: `${customer} has not paid ${terms}, and is no longer billed.`,
    paused: `Paused: ${customer} is not billed ${terms} until it is resumed.`,
    canceled: `${customer} was subscribed for ${terms}.`,
  };
  return stories[status];
}
