import type { Refund } from '@tollgate/node';
import { statusInWords } from '../../kit/tones.ts';

type Names = { method?: string | undefined; customer?: string | undefined };

/** `Sent back to Visa •••• 4242 of Ada Lovelace. The bank has accepted it; it can still be returned.` */
export function storyOfRefund({ status, reason, failure_reason }: Refund, { method, customer }: Names): string {
  const where = `${method === undefined ? '' : ` to ${method}`}${customer === undefined ? '' : ` of ${customer}`}`;
  const stories: Record<Refund['status'], string> = {
    pending: `On its way back${where}. The processor has not confirmed it yet.`,
    succeeded: `Sent back${where}. The bank has accepted it; it can still be returned.`,
    failed: `Could not be sent back${where}${failure_reason === undefined ? '' : `: ${statusInWords(failure_reason)}`}. The money is back in your balance.`,
  };
  return reason === undefined ? stories[status] : `${stories[status]} Reason: ${statusInWords(reason)}.`;
}
