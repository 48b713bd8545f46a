import { update } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Mode } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import { equals } from '../../../operations/compared_filter.ts';
import { listOperation, retrieveOperation } from '../../../operations/descriptor.ts';
import { changeMetadata, checkMetadata } from '../../../operations/metadata.ts';
import { type AnyOperation, type Context, type Outcome, operation } from '../../../operations/operation.ts';
import { OptionalChoices, OptionalCurrency, OptionalId } from '../../../operations/schemas.ts';
import { apiError as subscriptionError } from '../../billing/subscriptions/errors.ts';
import { readCoupon } from '../../billing/subscriptions/read_input.ts';
import { declineCodes } from '../../payments/attempts/errors.ts';
import { perform } from '../../payments/attempts/perform.ts';
import { canEnd } from '../../payments/attempts/slot.ts';
import { requireCustomer } from '../../payments/customers/operations.ts';
import { cancelStep, requirePayment } from '../../payments/payments/operations.ts';
import { placeProblem } from '../../payments/returns/url.ts';
import { cancelStep as cancelSetupStep, requireSetup } from '../../payments/setups/operations.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import { clockedFor, createdBy } from '../../payments/test_clocks/time.ts';
import { changedByLink } from '../payment_link_state/places.ts';
import { type CheckoutSession, type CheckoutSessionId, checkoutStatuses, takesSetup } from './checkout_session.ts';
import { enterCoupon } from './coupon.ts';
import { requireSession, sessionDescriptor } from './descriptor.ts';
import { checkTermsLink } from './details.ts';
import { erased, isOver } from './erasure.ts';
import { apiError, notOpen } from './errors.ts';
import { checkSold, readSold } from './lines.ts';
import { addCard, payOperation } from './pay.ts';
import { dropPlace } from './place.ts';
import {
  type NewSession,
  NewSessionInput,
  SessionInput,
  SessionOutput,
  serializeSession,
  sessionEvent,
} from './schema.ts';
import { afterTry, canceledByExpiry, expired } from './settle.ts';
import { addSession, replaceSession, sessionsTable } from './store.ts';
import { trialDaysOf, withDue } from './subscription.ts';
import { sessionPages } from './token.ts';
import { resumeTry, type SettledTry, type TryTopics, triedPayment, triedSetup } from './tries.ts';

const expiresInDefault = 86_400;

/** The place in an address where the id of the session is to stand. */
export const sessionPlace = '{CHECKOUT_SESSION}';

/** Everything about a new session that needs no database; of a payment link too. */
export function checkSession(input: Omit<NewSession, 'customer' | 'customer_email'>, mode: Mode): void {
  checkSold(input);
  checkMode(input);
  for (const param of ['success_url', 'cancel_url'] as const) {
    const problem = placeProblem((input[param] ?? '').replaceAll(sessionPlace, 'cs_0'), mode);
    if (input[param] !== undefined && problem !== undefined)
      throw apiError('parameter_invalid', { param, reason: problem });
  }
}

type ByMode = Pick<
  NewSession,
  'mode' | 'subscription_data' | 'capture_method' | 'save_payment_method' | 'allow_coupons'
>;

/** What belongs to one mode alone. */
function checkMode({
  mode = 'payment',
  subscription_data,
  capture_method,
  save_payment_method,
  allow_coupons,
}: ByMode): void {
  const refuse = (param: string, reason: string) => apiError('parameter_invalid', { param, reason });
  if (mode !== 'subscription' && subscription_data !== undefined)
    throw refuse('subscription_data', 'it needs the mode subscription');
  if (mode !== 'payment' && save_payment_method !== undefined)
    throw refuse('save_payment_method', `the mode ${mode} always keeps the payment method`);
  if (mode === 'subscription' && capture_method === 'manual')
    throw refuse('capture_method', 'a subscription is paid immediately');
  if (subscription_data?.metadata !== undefined)
    checkMetadata(subscription_data.metadata, ['subscription_data', 'metadata']);
  if (mode !== 'setup') return;
  if (capture_method !== undefined) throw refuse('capture_method', 'nothing is charged in the mode setup');
  if (allow_coupons === true) throw refuse('allow_coupons', 'nothing is charged in the mode setup');
}

const create = operation({
  name: 'checkout_sessions.create',
  summary: 'Create a checkout session',
  description:
    'Send the customer to `url`, where the page shows what is sold and takes the payment. `success_url` is only a hint that it is paid: retrieve the session, or wait for `checkout_session.completed`. At most one payment of a session succeeds.',
  route: 'POST /checkout_sessions',
  // In the portal, to add a payment method.
  customers: {
    customer: 'customer',
    parameters: ['success_url', 'cancel_url', 'locale'],
    fixed: { mode: 'setup' },
    allows: ({ add_method }) => add_method,
  },
  input: NewSessionInput,
  output: SessionOutput,
  errors: [
    ...clockCodes,
    ...apiError.codes('parameters_exclusive', 'amount_too_small', 'amount_too_large', 'currency_unknown'),
    ...subscriptionError.codes('coupon_not_usable'),
  ],
  check(input, { mode }) {
    checkSession(input, mode);
    if (input.customer !== undefined && input.customer_email !== undefined)
      throw apiError('parameters_exclusive', { param: 'customer_email', other: 'customer' });
  },
  async run(context, input) {
    await checkTermsLink(context, input.collect);
    return createdSession(await newSession(context, input));
  },
});

/** The outcome of a request, or of the press of a button, that makes a session. */
export function createdSession({ session, writes }: Awaited<ReturnType<typeof newSession>>): Outcome {
  return {
    result: serializeSession(session),
    objectId: session.id,
    writes: [addSession(session), ...writes],
    events: [sessionEvent('checkout_session.created', session)],
    due: session.due_at!.getTime(),
  };
}

/** Where a session comes from that no request has asked for. */
type Origin = { id?: CheckoutSessionId } & Partial<Pick<CheckoutSession, 'payment_link' | 'invoice'>>;

/** A session that a request, or a visit of a payment link or of the page of an invoice, asks for. */
export async function newSession(
  context: Context,
  input: NewSession,
  { id, payment_link = null, invoice = null }: Origin = {},
) {
  const { tenant, now } = context;
  const [sold, customer] = await Promise.all([
    readSold(context, input),
    input.customer === undefined ? undefined : requireCustomer(context, input.customer, 'customer'),
  ]);
  const test_clock = customer?.test_clock ?? null;
  const clocked = await clockedFor(context, test_clock, 'customer');
  const session_id: CheckoutSessionId = id ?? newId('cs', now);
  const expires_at = new Date(now + (input.expires_in ?? expiresInDefault) * 1_000);
  const begun: CheckoutSession = {
    tenant,
    id: session_id,
    version: 1,
    mode: input.mode ?? 'payment',
    status: 'open',
    payment_status: 'unpaid',
    ...sold,
    customer: customer?.id ?? null,
    customer_details: input.customer_email === undefined ? null : { email: input.customer_email },
    capture_method: input.capture_method ?? null,
    save_payment_method: input.save_payment_method ?? null,
    subscription_data: subscriptionData(input),
    allow_coupons: input.allow_coupons ?? null,
    coupon: (input.subscription_data?.coupon as CheckoutSession['coupon'] | undefined) ?? null,
    coupon_code: null,
    coupon_tries: 0,
    collect: input.collect ?? null,
    success_url: input.success_url ?? null,
    cancel_url: input.cancel_url ?? null,
    locale: input.locale ?? null,
    url: sessionPages.urlOf(context, session_id),
    reference: input.reference ?? null,
    metadata: changeMetadata(null, input.metadata),
    payment_link,
    ...untried,
    invoice,
    expires_at,
    ...createdBy(test_clock, clocked.now),
    due_at: expires_at,
    lease_until: null,
  };
  const isSubscribed = begun.mode === 'subscription';
  if (isSubscribed && begun.coupon !== null) await readCoupon(context, begun.coupon, begun.currency!, couponParam);
  const session = isSubscribed ? await withDue(context, begun, clocked.now) : begun;
  if (isSubscribed && session.amount_total === 0 && trialDaysOf(session) === undefined)
    throw apiError('parameter_invalid', {
      param: couponParam,
      reason: 'it leaves nothing to pay when the subscription begins',
    });
  if (takesSetup(session)) session.payment_status = 'no_payment_required';
  return { session, writes: clocked.writes };
}

const couponParam = 'subscription_data.coupon';

function subscriptionData({ subscription_data: data }: NewSession): CheckoutSession['subscription_data'] {
  if (data === undefined) return null;
  const { trial_days } = data;
  const metadata = changeMetadata(null, data.metadata);
  if (trial_days === undefined && metadata === null) return null;
  return { ...(trial_days !== undefined && { trial_days }), ...(metadata !== null && { metadata }) };
}

/** Of a session that nobody has tried to pay. */
const untried = {
  payment: null,
  setup: null,
  subscription: null,
  payment_method: null,
  saves: null,
  awaits_customer: null,
  declines: 0,
  last_failure: null,
  late: null,
  reviewed_at: null,
  completed_at: null,
  expired_reason: null,
} as const;

const updateMetadata = operation({
  name: 'checkout_sessions.update',
  summary: 'Update a checkout session',
  description: 'Changes the metadata, in every status. There is no event for it.',
  route: 'POST /checkout_sessions/:id',
  input: SessionInput,
  nulls: 'clear',
  output: SessionOutput,
  async run(context, { metadata }) {
    const before = await requireSession(context);
    const after = { ...before, version: before.version + 1, metadata: changeMetadata(before.metadata, metadata) };
    const isSame = JSON.stringify(after.metadata) === JSON.stringify(before.metadata);
    if (isSame) return { result: serializeSession(before), objectId: before.id };
    return { result: serializeSession(after), objectId: after.id, writes: [update(sessionsTable, after)] };
  },
});

/** Requests, and the job when the time of a session is over. */
const expire = (topics: TryTopics) =>
  operation({
    name: 'checkout_sessions.expire',
    summary: 'Expire a checkout session',
    description:
      'It can no longer be paid. While a page of the processor or an authentication is open, or the processor has a payment and has not decided, that is canceled first: if the customer has paid meanwhile, the session is completed instead, and the answer says so as soon as that is known. While the outcome of a try is unknown, it is refused.',
    route: 'POST /checkout_sessions/:id/expire',
    callers: ['key', 'job', 'shopper'],
    output: SessionOutput,
    errors: [...clockCodes, ...declineCodes, ...apiError.codes('checkout_session_not_open')],
    async run(context) {
      const { now } = context;
      const session = await requireSession(context);
      if (session.status === 'processing' || session.awaits_customer === true)
        return closeTry(context, topics, session, canceledByExpiry);
      if (session.status !== 'open') throw notOpen(session);
      const reason = now >= session.expires_at.getTime() ? 'time' : 'requested';
      const after = expired({ ...session, version: session.version + 1, lease_until: null }, reason);
      const events = [sessionEvent('checkout_session.expired', after)];
      return {
        result: serializeSession(after),
        objectId: after.id,
        writes: [replaceSession(after), ...changedByLink(session, after)],
        events,
      };
    },
    resume: resumeClosing(topics),
  });

/** Ends the latest try, which waits for its customer or for the processor. */
async function closeTry(context: Context, topics: TryTopics, session: CheckoutSession, reason: string) {
  const now = await closable(context, session);
  const { payments, setups } = closingTopics(context, topics, session);
  if ('payment' in now) return perform(context, payments, await cancelStep(context, now.payment, reason, now.writes));
  return perform(context, setups, await cancelSetupStep(context, now.setup, reason, now.writes));
}

/** The topics of a cancel that is answered with the session. While the outcome of its try is unknown, that is a refusal. */
function closingTopics(context: Context, { payments, setups }: TryTopics, session: CheckoutSession): TryTopics {
  const answer = (tried: SettledTry): Outcome => {
    const { session: shown } = afterTry(session, tried, context.now, false);
    const result = { result: serializeSession(shown), objectId: session.id };
    return shown.status === 'processing' ? { ...result, error: notOpen(shown, unknown) } : result;
  };
  return {
    payments: { ...payments, answer: (after) => answer(triedPayment(withEvents(after))) },
    setups: { ...setups, answer: (after) => answer(triedSetup(withEvents(after))) },
  };
}

/** The retry of a cancel is answered with the session, too. */
const resumeClosing = (topics: TryTopics) => async (context: Context, attempt: string) =>
  resumeTry(closingTopics(context, topics, await requireSession(context)))(context, attempt);

const unknown = ': the outcome of a payment is not known yet';

/** One that was only read has no events. */
const withEvents = <Found extends object>(after: Found) => ({ events: [], ...after });

/** The payment, or the setup, of the latest try, which waits for its customer or its processor. */
async function closable(context: Context, session: CheckoutSession) {
  const { payment: id } = session;
  const tried =
    id === null
      ? { setup: await requireSetup(context, session.setup!) }
      : { payment: await requirePayment(context, id) };
  const subject = 'payment' in tried ? tried.payment : tried.setup;
  if (!(await canEnd(context, subject)))
    throw notOpen(session, session.status === 'processing' ? unknown : ': its outcome is being settled');
  const { writes } = await clockedFor(context, subject.test_clock);
  return { ...tried, writes };
}

/** "Use another payment method". Not an operation of the API: the page runs it. */
const close = (topics: TryTopics) =>
  operation({
    name: 'checkout_sessions.close_try',
    summary: 'Close the page of the processor that the customer of a checkout session was sent to',
    route: 'POST /checkout_sessions/:id/close_try',
    callers: ['shopper'],
    output: SessionOutput,
    errors: [...clockCodes, ...declineCodes, ...apiError.codes('checkout_session_not_open')],
    async run(context) {
      const session = await requireSession(context);
      if (session.status !== 'open') throw notOpen(session);
      if (session.awaits_customer !== true) return { result: serializeSession(session), objectId: session.id };
      return closeTry(context, topics, session, 'abandoned');
    },
    resume: resumeClosing(topics),
  });

const redact = operation({
  name: 'checkout_sessions.redact',
  summary: 'Erase what the customer of a checkout session has typed',
  description:
    'Erases `customer_details` for good, of a session that is complete or expired. The customer, if there is one, stays.',
  route: 'POST /checkout_sessions/:id/redact',
  output: SessionOutput,
  errors: apiError.codes('parameter_invalid'),
  async run(context) {
    const before = await requireSession(context);
    if (!isOver(before))
      throw apiError('parameter_invalid', { param: 'id', reason: `the session is ${before.status}: expire it first` });
    if (before.customer_details === null) return { result: serializeSession(before), objectId: before.id };
    const after = erased(before, context.now);
    return { result: serializeSession(after), objectId: after.id, writes: [replaceSession(after)], due: context.now };
  },
});

/** Whether its late payment was delivered or refunded is known to people alone. */
const review = operation({
  name: 'checkout_sessions.review',
  summary: 'Review a checkout session that was paid late',
  description:
    'Records that somebody has dealt with a payment that came after the expiry: what was paid for is delivered, or the payment is refunded. The session then no longer needs attention. There is no event for it.',
  route: 'POST /checkout_sessions/:id/review',
  right: 'handle',
  output: SessionOutput,
  errors: apiError.codes('parameter_invalid'),
  async run(context) {
    const before = await requireSession(context);
    if (before.late !== true)
      throw apiError('parameter_invalid', { param: 'id', reason: 'the session was not paid after its expiry' });
    if (before.reviewed_at !== null) return { result: serializeSession(before), objectId: before.id };
    const after = { ...before, version: before.version + 1, reviewed_at: new Date(context.now) };
    return { result: serializeSession(after), objectId: after.id, writes: [replaceSession(after)] };
  },
});

const filters = {
  status: OptionalChoices(checkoutStatuses, 'Only those with this status, or these.'),
  customer: OptionalId('Only those of this customer.'),
  payment_link: OptionalId('Only those that were made by this payment link.'),
  reference: Type.Optional(Type.String({ maxLength: 200, description: 'Only those with this reference.' })),
  currency: OptionalCurrency,
};

const list = listOperation(sessionDescriptor, filters, { compared: [equals('currency')] });

export function sessionOperations(topics: TryTopics): AnyOperation[] {
  return [
    create,
    retrieveOperation(sessionDescriptor),
    updateMetadata,
    list,
    expire(topics),
    redact,
    review,
    addCard,
    payOperation(topics),
    close(topics),
    enterCoupon,
    dropPlace,
  ];
}
