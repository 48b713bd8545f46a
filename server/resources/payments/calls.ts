import type { Connector, Reply } from '../../connectors/contract.ts';
import type { Attempt } from '../attempts/attempt.ts';
import type { Step } from '../attempts/perform.ts';
import type { Payment } from './payment.ts';
import type { Known } from './settle.ts';
import { savePayment } from './store.ts';

/** The payment while a remote processor is asked: its slot is taken, and an inquiry is due in case no answer comes. */
export function slotTaken(known: Known): Step<Known>['begin'] {
  return (attempt, due) => {
    const payment: Payment = {
      ...known.payment,
      version: known.payment.version + 1,
      status: known.isNew ? 'processing' : known.payment.status,
      open_attempt: attempt.id,
      inquiries: 0,
      due_at: due,
      lease_until: null,
    };
    return { known: { ...known, payment, attempt, isNew: false }, writes: [savePayment(payment)] };
  };
}

/** Cancels or reverses: to a processor it is the same. A connector without `cancel` answers with a decline. */
export function cancelCall(
  connector: Connector,
  { tenant, id }: Attempt,
  authorization: Attempt,
  now: number,
): () => Promise<Reply> {
  const about = { attempt: authorization.id, reference: authorization.reference ?? undefined };
  return async () => {
    if (connector.cancel !== undefined) return connector.cancel({ tenant, attempt: id, now, authorization: about });
    const message = `${connector.name} cannot cancel.`;
    return { attempt: id, outcome: { kind: 'declined', code: 'processing_error', message }, exchange: {} };
  };
}
