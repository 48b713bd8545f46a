import type { Static } from 'typebox';
import type { Write } from '../../../base/commit/index.ts';
import type { ApiError } from '../../../base/errors.ts';
import { Type } from '../../../base/schema.ts';
import type { Secret } from '../../../base/secret.ts';
import type { Instrument } from '../../../connectors/contract.ts';
import { type AnyOperation, type Context, type Outcome, operation, type Part } from '../../../operations/operation.ts';
import { Parameters, Shown } from '../../../operations/schemas.ts';
import { beginPaying, findPayable, type Payable, settlePaying } from '../../billing/invoices/payable.ts';
import type { Attempt } from '../../payments/attempts/attempt.ts';
import { declineCodes } from '../../payments/attempts/errors.ts';
import { perform } from '../../payments/attempts/perform.ts';
import type { Settlement, Topic } from '../../payments/attempts/topic.ts';
import { requireCustomer } from '../../payments/customers/operations.ts';
import { CardParameters } from '../../payments/payment_methods/card/schema.ts';
import { methodCodes } from '../../payments/payment_methods/errors.ts';
import { newCard } from '../../payments/payment_methods/of_checkout.ts';
import { beginChoice, beginPayment, type PreparedPayment } from '../../payments/payments/charge.ts';
import { failedPayment } from '../../payments/payments/operations.ts';
import type { Payment, PaymentId } from '../../payments/payments/payment.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { beginSetup, beginSetupChoice, type PreparedSetup } from '../../payments/setups/begin.ts';
import { failedSetup } from '../../payments/setups/operations.ts';
import type { SetupId } from '../../payments/setups/setup.ts';
import type { SetupTopic } from '../../payments/setups/topic.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import { changedByLink, isPlaceHeld } from '../payment_link_state/places.ts';
import { type CheckoutSession, mayBeginTry, paysInvoice, type ShopperDetails, takesSetup } from './checkout_session.ts';
import { requireSession, sessionDescriptor } from './descriptor.ts';
import { apiError, notOpen } from './errors.ts';
import { serializeSession, sessionEvent } from './schema.ts';
import { columnOf, completed, customerBy, settleSession } from './settle.ts';
import { soldText } from './sold_text.ts';
import { replaceSession } from './store.ts';
import { idsBy, isDueToday } from './subscription.ts';
import { resumeTry, type SettledTry, type TryTopics, triedPayment, triedSetup } from './tries.ts';

const Details = Type.Unsafe<ShopperDetails>(Type.Object({}, { additionalProperties: true, personal: true }));

const AddCardInput = Parameters({ card: CardParameters, details: Details });
const PaymentMethodName = Shown('CheckoutCard', 'payment_method', 'A card that was typed into a page.', {});

/** Seals a card that was typed into our own fields, before the try. Not an operation of the API: the page runs it. */
export const addCard: AnyOperation = operation({
  name: 'checkout_sessions.add_card',
  summary: 'Seal a card that was typed into the page of a checkout session',
  route: 'POST /checkout_sessions/:id/add_card',
  callers: ['shopper'],
  input: AddCardInput,
  output: PaymentMethodName,
  errors: [],
  async run(context, { card, details }) {
    const session = await requireSession(context);
    if (!mayBeginTry(session, context.now)) throw notOpen(session);
    const { email, name, address } = { ...session.customer_details, ...details };
    const billing = { ...(name && { name }), ...(email && { email }), ...(address && { address }) };
    const { method, writes } = await newCard(context, card, billing);
    return { result: { id: method.id, object: 'payment_method' }, objectId: session.id, writes };
  },
});

/** What the customer pays with: a method that is stored, or what is chosen at the processor. */
export type PayInstrument =
  | { kind: 'method'; payment_method: string }
  | { kind: 'page' }
  | { kind: 'confirmation'; token: Secret; processor_account: string };

const PayInput = Parameters({
  id: Type.Unsafe<TryId>(Type.String({ description: 'The id of the payment, or of the setup, that is made.' })),
  instrument: Type.Unsafe<PayInstrument>(Type.Object({}, { additionalProperties: true })),
  details: Details,
  saves: Type.Boolean({ description: 'Whether the method is kept.' }),
  authentication: Type.Unsafe<'issuer' | 'always'>(Type.String({ description: 'What is asked of the card.' })),
  amount: Type.Optional(Type.Integer({ description: 'What the page has shown: a try at another amount is refused.' })),
  needs_place: Type.Optional(Type.Boolean({ description: 'Whether it needs a place of its payment link.' })),
});
type Pay = Static<typeof PayInput>;
export type TryId = SettledTry['id'];

/** The press of the button: one try. Not an operation of the API: the page runs it. */
export const payOperation = (topics: TryTopics): AnyOperation =>
  operation({
    name: 'checkout_sessions.pay',
    summary: 'Try to pay a checkout session',
    route: 'POST /checkout_sessions/:id/pay',
    callers: ['shopper'],
    input: PayInput,
    output: sessionDescriptor.output,
    errors: [
      ...clockCodes,
      ...methodCodes,
      ...declineCodes,
      ...apiError.codes('checkout_session_not_open', 'parameter_invalid'),
    ],
    async run(context, input) {
      const stored = await requireSession(context);
      if (!mayBeginTry(stored, context.now)) throw notOpen(stored);
      await refuseChanged(context, stored, input);
      const session = withInput(stored, input);
      if (takesSetup(session)) return trySetup(context, topics.setups, session, input);
      if (session.amount_total === 0) return completeUnpaid(session, context.now);
      return tryPayment(context, topics.payments, session, input);
    },
    resume: resumeTry(topics),
  });

/** The page has shown something else, or another tab has given back the place that this press had held. */
async function refuseChanged({ reads }: Context, session: CheckoutSession, { amount, needs_place }: Pay) {
  const refuse = (param: 'amount' | 'needs_place', reason: string) => apiError('parameter_invalid', { param, reason });
  if (amount !== undefined && amount !== session.amount_total)
    throw refuse('amount', `the session costs ${session.amount_total} by now`);
  if (needs_place === true && !(await isPlaceHeld(reads, session.tenant, session.id)))
    throw refuse('needs_place', 'the place was given back');
}

/** Whether a try was refused because the session is not as it was shown. The customer sees it as it is now, and can press again. */
export function isChangedSince({ code, param }: ApiError): boolean {
  return code === 'parameter_invalid' && (param === 'amount' || param === 'needs_place');
}

/** The session with what the customer has typed. What an earlier try has left behind is forgotten. */
function withInput(stored: CheckoutSession, { details, saves }: Pay): CheckoutSession {
  const typed = { ...stored.customer_details, ...details };
  return { ...stored, customer_details: Object.keys(typed).length === 0 ? null : typed, saves: saves || null };
}

/** A coupon has taken everything off. */
function completeUnpaid(session: CheckoutSession, now: number): Outcome {
  const paid = { ...session, version: session.version + 1, payment_status: 'no_payment_required' as const };
  const after = completed(paid, now);
  const events = [sessionEvent('checkout_session.completed', after)];
  return {
    result: serializeSession(after),
    objectId: after.id,
    writes: [replaceSession(after), ...changedByLink(session, after)],
    events,
  };
}

async function tryPayment(context: Context, payments: PaymentTopic, session: CheckoutSession, input: Pay) {
  const owed = await owedFor(context, session);
  const begun = await beginTry(context, session, input, owed);
  const topic = owed === undefined ? payments : invoicePaid(payments, owed);
  if ('step' in begun) return perform(context, checkedOut(topic, session, triedPayment), begun.step);
  const tried = triedPayment({ payment: begun.failed, isNew: true, events: [] });
  const outcome = await failAtOnce(context, session, tried, failedPayment(begun));
  return owed === undefined ? outcome : withPart(outcome, await settlePaying(context, owed, { payment: begun.failed }));
}

/** The invoice that the session pays. Dunning, a request or another tab may be paying it at this moment, or may have done so. */
async function owedFor(context: Context, session: CheckoutSession): Promise<Payable | undefined> {
  if (!paysInvoice(session)) return undefined;
  const owed = await findPayable(context, session.invoice!);
  if (owed === undefined) throw notOpen(session, `, and ${session.invoice} cannot be paid now`);
  return owed;
}

/** Payments where a local processor pays the invoice in the same commit. */
function invoicePaid(payments: PaymentTopic, owed: Payable): PaymentTopic {
  return {
    ...payments,
    async part(services, settled, now, time) {
      if (!settled.isNew) return payments.part(services, settled, now, time);
      const own = await payments.part(services, { ...settled, isBilled: true }, now, time);
      const { tenant } = settled.payment;
      const { writes, events } = await settlePaying({ ...services, tenant, now }, owed, settled);
      return { writes: [...own.writes, ...writes], events: [...own.events, ...events] };
    },
  };
}

/** Nothing is due: the method is set up for what is due later. */
async function trySetup(context: Context, setups: SetupTopic, session: CheckoutSession, input: Pay) {
  const begun = await beginSetupTry(context, session, input);
  if ('step' in begun) return perform(context, checkedOut(setups, session, triedSetup), begun.step);
  return failAtOnce(context, session, triedSetup({ setup: begun.failed, isNew: true, events: [] }), failedSetup(begun));
}

/** What payments and setups have in common as tries. */
function tryOf(session: CheckoutSession, { authentication }: Pay) {
  const { id: checkout_session, url: return_url } = session;
  return { checkout_session, authentication, return_url };
}

async function beginTry(
  context: Context,
  session: CheckoutSession,
  input: Pay,
  owed: Payable | undefined,
): Promise<PreparedPayment> {
  const { instrument, saves } = input;
  const id = input.id as PaymentId;
  const { amount_total: amount, currency, customer, capture_method, description } = session;
  const common = {
    ...tryOf(session, input),
    id,
    amount,
    currency: currency!,
    capture_method,
    begun: (payment: Payment): Write[] => [
      replaceSession(begunBy(session, { id, payment })),
      ...(owed === undefined ? [] : beginPaying(owed, payment, context.now)),
    ],
    ...(owed !== undefined && { invoice: owed.bill.invoice.id, time: owed.now }),
    description: description ?? soldText(session),
    on_approval: onApproval(session, id, saves),
  };
  if (instrument.kind === 'method') {
    const { payment_method } = instrument;
    return beginPayment(context, {
      ...common,
      payment_method,
      customer: customer ?? undefined,
      keeps: saves,
      merchantInitiated: false,
    });
  }
  return beginChoice(context, { ...common, ...(await choiceOf(context, session, instrument, saves)), save: saves });
}

async function beginSetupTry(context: Context, session: CheckoutSession, input: Pay): Promise<PreparedSetup> {
  const { instrument } = input;
  const id = input.id as SetupId;
  const { customer } = session;
  const common = {
    ...tryOf(session, input),
    id,
    new_customer: customer === null ? customerBy({ id }) : null,
    begun: (): Write[] => [replaceSession(begunBy(session, { id, payment: undefined }))],
  };
  if (instrument.kind === 'method') {
    const { payment_method } = instrument;
    return beginSetup(context, { ...common, payment_method, customer: customer ?? undefined });
  }
  return beginSetupChoice(context, { ...common, ...(await choiceOf(context, session, instrument, true)) });
}

/** The customer and the invoice that are made with the success: the payment is theirs from then on. */
function onApproval(session: CheckoutSession, id: PaymentId, saves: boolean): Payment['on_approval'] {
  const { customer, mode } = session;
  if (paysInvoice(session)) return saves ? { becomes_default: true } : null;
  if (mode === 'payment' && (customer !== null || !saves)) return null;
  return {
    ...(customer === null && { customer: customerBy({ id }) }),
    ...(mode === 'subscription' && { invoice: idsBy({ id }).invoice }),
  };
}

type ChosenThere = Exclude<PayInstrument, { kind: 'method' }>;

/** Who chooses at the processor, and what. */
async function choiceOf(context: Context, session: CheckoutSession, instrument: ChosenThere, save: boolean) {
  const { customer } = session;
  return {
    customer: customer === null ? undefined : await requireCustomer(context, customer),
    processor_account: instrument.kind === 'confirmation' ? (instrument.processor_account as never) : undefined,
    instrument: chosen(session, instrument, save),
  };
}

/** What the customer chooses at the processor. */
function chosen(session: CheckoutSession, instrument: ChosenThere, save: boolean): Instrument<'page' | 'confirmation'> {
  const { email, name, address } = session.customer_details ?? {};
  const holder = { ...(email && { email }), ...(name && { name }), ...(address && { address }) };
  if (instrument.kind === 'confirmation') return { kind: 'confirmation', token: instrument.token, holder };
  const { locale, expires_at } = session;
  const lines = linesOf(session);
  return { kind: 'page', holder, locale: locale ?? 'auto', lines, email, expiresAt: expires_at.getTime(), save };
}

/** What the page of the processor shows as sold now. */
function linesOf(session: CheckoutSession) {
  const { line_items, description, amount_total: amount } = session;
  if (takesSetup(session)) return [];
  const sold = line_items?.filter((line) => isDueToday(session, line));
  return (
    sold?.map((line) => ({ name: line.name, quantity: line.quantity, amount: line.amount - line.discount })) ?? [
      { name: description ?? 'Payment', quantity: 1, amount },
    ]
  );
}

/** The session while a remote processor is asked: whatever becomes of this process, no other try can begin. */
function begunBy(session: CheckoutSession, tried: Parameters<typeof columnOf>[0]): CheckoutSession {
  const { version } = session;
  return {
    ...session,
    ...columnOf(tried),
    version: version + 1,
    status: 'processing',
    last_failure: null,
    due_at: null,
  };
}

/** A topic of attempts, where a session that a local processor pays has what the customer has typed. */
function checkedOut<Loaded extends { attempt: Attempt }, Settled extends Settlement & { isNew?: boolean }>(
  topic: Topic<Loaded, Settled>,
  session: CheckoutSession,
  triedBy: (settled: Settled) => SettledTry,
): Topic<Loaded, Settled> {
  return {
    ...topic,
    async part(services, settled, now, time) {
      if (!settled.isNew) return topic.part(services, settled, now, time);
      const own = await topic.part(services, { ...settled, isCheckedOut: true }, now, time);
      const part = await settleSession(services, session, triedBy(settled), { now, time });
      return { writes: [...own.writes, ...part.writes], events: [...own.events, ...part.events] };
    },
  };
}

/** A card that has expired, for which no processor is asked. */
async function failAtOnce(
  context: Context,
  session: CheckoutSession,
  tried: SettledTry,
  outcome: Outcome,
): Promise<Outcome> {
  return withPart(outcome, await settleSession(context, session, tried, { now: context.now, time: undefined }));
}

function withPart(outcome: Outcome, { writes, events }: Part): Outcome {
  return {
    ...outcome,
    writes: [...(outcome.writes ?? []), ...writes],
    events: [...(outcome.events ?? []), ...events],
  };
}
