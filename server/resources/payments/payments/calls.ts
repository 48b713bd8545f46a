import type { AttemptId, Authorization, CaptureRequest, Connector, Reply } from '../../../connectors/contract.ts';
import type { Attempt } from '../attempts/attempt.ts';
import type { Step } from '../attempts/perform.ts';
import { takenSlot } from '../attempts/slot.ts';
import type { Payment } from './payment.ts';
import type { LoadedPayment } from './settle.ts';
import { savePayment } from './store.ts';

/** The payment while a remote processor is asked: its slot is taken, and an inquiry is due in case no answer comes. */
export function takeSlot(loaded: LoadedPayment): Step<LoadedPayment>['begin'] {
  return (attempt, due) => {
    const { isNew = false, begun } = loaded;
    const payment = takenSlot(loaded.payment, isNew, attempt, due);
    const writes = [savePayment(payment), ...(isNew ? (begun?.(payment) ?? []) : [])];
    return { loaded: { ...loaded, payment, attempt, isNew: false }, writes };
  };
}

/** The authorization of a payment, as a later verb or an inquiry names it to the processor. */
export function authorizationOf(payment: Payment, { id, reference, page }: Attempt): Authorization {
  return {
    attempt: id,
    reference: reference ?? undefined,
    payment: payment.id,
    money: { amount: payment.amount, currency: payment.currency },
    capture: payment.capture_method !== 'manual',
    ...(page === null ? {} : { page }),
  };
}

/** Captures. Sending it twice is harmless: the processor knows the attempt. */
export function captureCall(
  connector: Connector,
  { payment, attempt, authorization }: { payment: Payment; attempt: Attempt; authorization: Attempt },
  now: number,
  deadline?: number,
): () => Promise<Reply> {
  const { capture } = connector;
  if (capture === undefined) throw new Error(`${connector.name} authorized what it cannot capture`);
  const { tenant, id, amount } = attempt;
  const request: CaptureRequest = {
    tenant,
    attempt: id,
    now,
    ...(deadline === undefined ? {} : { deadline }),
    authorization: authorizationOf(payment, authorization),
    money: { amount: amount!, currency: payment.currency },
  };
  return () => capture(request);
}

/**
 * Whether a cancel ends a try of a checkout that is not decided, and gives nothing back: what the cardholder has paid meanwhile was meant to
 * be paid.
 */
export function isUnlessPaid(payment: Payment, verb: Attempt['verb'], authorization: Attempt): boolean {
  const isUndecided = authorization.state === 'challenged' || authorization.state === 'pending';
  return payment.checkout_session !== null && verb === 'cancel' && isUndecided;
}

/** Cancels, or reverses with the captures that are to be given back. A connector without `cancel` answers with a decline. */
export function cancelCall(
  connector: Connector,
  { tenant, id }: Attempt,
  about: { authorization: Authorization; captures: readonly AttemptId[]; unlessPaid: boolean },
  now: number,
): () => Promise<Reply> {
  return async () => {
    if (connector.cancel !== undefined) return connector.cancel({ tenant, attempt: id, now, ...about });
    const message = `${connector.name} cannot cancel.`;
    return { attempt: id, outcome: { kind: 'declined', code: 'processing_error', message }, exchange: {} };
  };
}
