import { idTime } from '../../../base/id.ts';
import { question } from '../../../connectors/ask.ts';
import type { Services } from '../../../operations/services.ts';
import { isOverdue } from '../attempts/subject.ts';
import type { PaymentMethod } from './payment_method.ts';

type ForgetServices = Pick<Services, 'connectors' | 'processorAccounts' | 'clock' | 'log'>;
type Forgotten = Pick<PaymentMethod, 'processor_customer' | 'forget_since' | 'left_since' | 'due_at'>;

const minuteMs = 60_000;
const pauseMaxMs = 6 * 60 * minuteMs;

/**
 * Has the processor of a detached token delete the customer that was made for it. What is not ours to delete stays on a list. Without an
 * answer it is asked again, with pauses that grow with the time so far; after three days a person should know.
 */
export async function forgetAtProcessor(services: ForgetServices, method: PaymentMethod): Promise<Forgotten> {
  const { processor_customer, forget_since, left_since } = method;
  const rest = { processor_customer, forget_since: null, left_since: null, due_at: null };
  if (processor_customer === null) return rest;
  const now = services.clock.now();
  const answer = await askToForget(services, method, processor_customer).catch((error: unknown) => {
    services.log.debug({ payment_method: method.id, error: String(error) }, 'a processor has not deleted a customer');
    return undefined;
  });
  if (answer === 'forgotten') return { ...rest, processor_customer: null };
  if (answer === 'not_ours') return { ...rest, left_since: left_since ?? new Date(now) };
  const since = forget_since ?? new Date(now);
  const pause = Math.min(Math.max(now - since.getTime(), minuteMs), pauseMaxMs);
  const left = isOverdue(since, now) ? (left_since ?? new Date(now)) : null;
  return { processor_customer, forget_since: since, left_since: left, due_at: new Date(now + pause) };
}

async function askToForget(
  services: ForgetServices,
  { tenant, id, processor_account }: PaymentMethod,
  customer: string,
) {
  const { connectors, processorAccounts } = services;
  const account = processor_account && (await processorAccounts.find(tenant, processor_account));
  if (!account) throw new Error(`there is no processor account ${processor_account}`);
  const of = { tenant, connector: account.connector, processor_account: account.id };
  const connector = await connectors.of(of);
  if (connector.forget === undefined) return 'not_ours';
  const since = await connectors.credentialsSince(of);
  // Another account at the processor would say that there is no such customer.
  if (since !== undefined && idTime(id) < since) throw new Error('the credentials are newer than the payment method');
  return question(connectors.limits, async () => connector.forget!({ customer, id }));
}
