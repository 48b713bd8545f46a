import type { Context } from '../../../operations/operation.ts';
import { findAttempt } from '../../payments/attempts/find.ts';
import { resumeAttempt } from '../../payments/attempts/perform.ts';
import type { NamedMethod } from '../../payments/payment_methods/named.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import type { Settled } from '../../payments/payments/settle.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import type { SettledSetup } from '../../payments/setups/settle.ts';
import type { Setup } from '../../payments/setups/setup.ts';
import type { SetupTopic } from '../../payments/setups/topic.ts';
import type { FailedTry } from './checkout_session.ts';

/** What a try can be: a payment, or a setup where nothing is due and a method is kept. */
export type TryTopics = { payments: PaymentTopic; setups: SetupTopic };

/** A try with the outcome that it has now. */
export type SettledTry = Pick<Payment, 'status' | 'payment_method' | 'cancellation_reason'> &
  FailedTry & {
    id: Payment['id'] | Setup['id'];
    /** What is to be paid; undefined for a setup. */
    payment: Payment | undefined;
    /** It is stored by this settlement for the first time. */
    isNew: boolean;
    /** Whether this settlement says anything that was not known before. */
    isNews: boolean;
    named: NamedMethod | undefined;
    /** Its method is to pay the next invoices of a subscription: it is kept, whatever a later press has chosen. */
    becomesDefault: boolean;
  };

export function triedPayment({
  payment,
  isNew = false,
  events,
  named,
  becomesDefault = false,
}: Pick<Settled, 'payment' | 'isNew' | 'events' | 'named' | 'becomesDefault'>): SettledTry {
  const { id, status, payment_method, cancellation_reason, failure_code, advice } = payment;
  const facts = { id, status, payment_method, cancellation_reason, failure_code, advice };
  return { ...facts, payment, isNew, isNews: isNew || events.length > 0, named, becomesDefault };
}

export function triedSetup({
  setup,
  attempt,
  isNew = false,
  isFirst = false,
  events,
  named,
}: Pick<SettledSetup, 'setup' | 'isNew' | 'isFirst' | 'events' | 'named'> & {
  attempt?: SettledSetup['attempt'];
}): SettledTry {
  const { id, status, payment_method, cancellation_reason, failure_code } = setup;
  const facts = { id, status, payment_method, cancellation_reason, failure_code, advice: attempt?.advice ?? null };
  const isNews = isNew || isFirst || events.length > 0;
  return { ...facts, payment: undefined, isNew, isNews, named, becomesDefault: false };
}

/** Answers the retry of a try, or of the end of one, whichever of both it was made for. */
export function resumeTry({ payments, setups }: TryTopics) {
  return async (context: Context, attempt: string) => {
    const made = await findAttempt(context.reads, context.tenant, attempt);
    const isSetup = made !== undefined && made.setup !== null;
    return isSetup ? resumeAttempt(setups)(context, attempt) : resumeAttempt(payments)(context, attempt);
  };
}
