import { type ApiError, assert, Unavailable } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import type { Mode, Tenant } from '../../../base/reads.ts';
import type { Secret } from '../../../base/secret.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Call, Once } from '../../../operations/executor.ts';
import type { Context, Outcome } from '../../../operations/operation.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { findInvoice, isPayable } from '../../billing/invoices/payable.ts';
import { findMethodsOf } from '../../payments/payment_methods/of_checkout.ts';
import { takersOf } from '../../payments/routing/route.ts';
import { holdPlace, type PlaceAnswer } from '../payment_link_state/places.ts';
import {
  type CheckoutSession,
  isOpenFor,
  keepsMethod,
  mayBeginTry,
  paysInvoice,
  type ShopperDetails,
  takesSetup,
} from './checkout_session.ts';
import { collectedBy, detailProblems, type FieldProblem } from './details.ts';
import { sessionPlace } from './operations.ts';
import { isChangedSince, type PayInstrument } from './pay.ts';
import { expired } from './settle.ts';
import { findShownTry, freeUntil } from './shown.ts';
import { sessionsTable } from './store.ts';
import { sessionPages } from './token.ts';
import type { CheckoutView, TryState, WayToPay } from './view.ts';

export type { FieldProblem } from './details.ts';
export type { CheckoutView, PaidWith, SavedMethod, TryState, WayToPay } from './view.ts';

const savedMax = 10;

/** What the customer pays with, as the page sends it. */
export type SentInstrument =
  | { kind: 'card'; number: Secret; exp_month: number; exp_year: number; cvc?: Secret | undefined }
  | { kind: 'saved'; payment_method: string }
  | { kind: 'page' }
  | { kind: 'confirmation'; token: Secret; processor_account: string };

export type PayInput = {
  instrument: SentInstrument;
  details: ShopperDetails & { terms?: boolean };
  /** Whether the customer has ticked to save the method. */
  save?: boolean;
  /** What the page has shown. */
  amount?: number | undefined;
};

/**
 * `isChanged`: nothing was tried, because it costs something else by now than was shown. `refused`: too many tries; `until` in epoch
 * milliseconds, where another try may come later.
 */
export type TryAnswer = {
  view: CheckoutView;
  /** Where the customer has to go on. */
  goTo?: string;
  problems?: readonly FieldProblem[];
  isChanged?: true;
  refused?: { until: number | undefined };
};

/** A session as it was when its page was asked for, and what a customer can do with it. */
export type OpenedSession = {
  view: CheckoutView;
  /** The press of the button: one try. */
  pay(input: PayInput): Promise<TryAnswer>;
  /** "Use another payment method": closes the page of the processor first. */
  closeTry(): Promise<CheckoutView>;
  /** Without a code the coupon is taken back. */
  applyCoupon(code: string | undefined): Promise<TryAnswer>;
};

export type CheckoutCalls = {
  /** Undefined for a token that we have not made. `address`: the IP address of the customer. */
  open(token: string, address: string): Promise<OpenedSession | undefined>;
};

/** A try is guarded by the version of its session: of two, the second decides again, and finds that it may not begin. */
const guarded: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

type TokenPlace = { tenant: Tenant; id: CheckoutSession['id']; mode: Mode; address: string };

/** What the page of checkout sessions calls. It believes nothing but the token, and decides no amount. */
export function checkoutCalls(services: JobServices, declared: Declared): CheckoutCalls {
  // A context with a clock is one of a test clock.
  const { clock, ...offered } = services;
  const viewOf: CheckoutParts['viewOf'] = (place, session) => {
    const { tenant, mode, id } = place;
    const caller = callerOf(place);
    return viewIn({ ...offered, tenant, mode, id, now: clock.now(), requestId: null, caller }, session);
  };
  const parts = { services, declared, viewOf };
  const { keyring, reads, accountMode } = services;
  return {
    async open(token, address) {
      const named = sessionPages.read(keyring, token);
      if (named === undefined) return undefined;
      const { tenant, id } = named;
      const [mode, session] = await Promise.all([accountMode(tenant), reads.one(sessionsTable, tenant, id)]);
      if (session === undefined) return undefined;
      const place = { tenant, id, mode, address };
      return new CheckoutVisit(parts, place, session, await viewOf(place, session));
    },
  };
}

type CheckoutParts = {
  services: JobServices;
  declared: Declared;
  /** What the page shows of a session at this moment. */
  viewOf: (place: TokenPlace, session: CheckoutSession) => Promise<CheckoutView>;
};

/** What it shows is read once. Each operation reads the session again, and refuses what it does not allow by then. */
class CheckoutVisit implements OpenedSession {
  readonly #parts: CheckoutParts;
  readonly #place: TokenPlace;
  readonly #session: CheckoutSession;
  readonly view: CheckoutView;

  constructor(parts: CheckoutParts, place: TokenPlace, session: CheckoutSession, view: CheckoutView) {
    this.#parts = parts;
    this.#place = place;
    this.#session = session;
    this.view = view;
  }

  async pay(input: PayInput): Promise<TryAnswer> {
    const [view, session] = [this.view, this.#session];
    if (view.suspended || !mayBeginTry(session, this.#parts.services.clock.now()))
      return { view, ...(!view.suspended && view.try.goTo && { goTo: view.try.goTo }) };
    if (input.amount !== undefined && input.amount !== session.amount_total) return { view, isChanged: true };
    const asked = { ...session, collect: view.collect };
    const problems = [...detailProblems(asked, input.details), ...wayProblems(view, input.instrument)];
    return problems.length > 0 ? { view, problems } : this.#tryToPay(input);
  }

  async closeTry(): Promise<CheckoutView> {
    // Nothing is asked of a processor for the customers of a suspended account.
    if (!this.view.suspended) await this.#run('close_try');
    return this.#after();
  }

  async applyCoupon(code: string | undefined): Promise<TryAnswer> {
    if (this.view.suspended) return { view: this.view };
    const { error } = await this.#run('enter_coupon', code === undefined ? {} : { code });
    const view = await this.#after();
    return error?.code === 'parameter_invalid' ? { view, problems: [{ field: 'coupon', key: 'invalid' }] } : { view };
  }

  #run(name: string, parameters: Call['parameters'] = {}): Promise<Outcome> {
    const operation = this.#parts.declared.operation(`checkout_sessions.${name}`);
    const { id } = this.#place;
    const call = { operation, caller: callerOf(this.#place), id, requestId: null, parameters };
    return this.#parts.services.executor.change(call, guarded);
  }

  /** The view after an operation, whatever its outcome. */
  async #after(): Promise<CheckoutView> {
    const { tenant, id } = this.#place;
    const session = await this.#parts.services.reads.one(sessionsTable, tenant, id);
    assert(session !== undefined, 'sessions are never deleted');
    return this.#parts.viewOf(this.#place, session);
  }

  /** The place of its payment link that the session has, from now to the outcome of the try. A link that is sold out has none. */
  async #holdPlace(): Promise<PlaceAnswer> {
    const { tenant, id, payment_link } = this.#session;
    if (payment_link === null) return 'unlimited';
    const { durable, clock } = this.#parts.services;
    const wanted = { tenant, link: payment_link, session: id, now: clock.now() };
    return holdPlace(durable, wanted);
  }

  async #tryToPay(input: PayInput): Promise<TryAnswer> {
    const { instrument, details, save = false, amount } = input;
    const { terms: _, ...typed } = details;
    const id = newId(takesSetup(this.#session) ? 'set' : 'py', this.#parts.services.clock.now());
    const verdict = await this.#judge(id, instrument);
    if (verdict.kind === 'refused') return { view: await this.#after(), refused: { until: verdict.until } };
    const { authentication } = verdict;
    const added = await this.#withMethod(instrument, typed);
    if ('problems' in added) return { view: await this.#after(), problems: added.problems };
    const held = await this.#holdPlace();
    if (held === 'sold_out') {
      await this.#run('expire');
      return { view: await this.#after() };
    }
    const { error } = await this.#run('pay', {
      id,
      instrument: added,
      details: typed,
      saves: keepsMethod(this.#session, save),
      authentication,
      ...(amount !== undefined && { amount }),
      ...(held === 'held' && { needs_place: true }),
    });
    if (error !== undefined && held === 'held') await this.#run('drop_place');
    return this.#answerTo(await this.#after(), error);
  }

  #answerTo(view: CheckoutView, error: ApiError | undefined): TryAnswer {
    const { goTo } = view.try;
    if (goTo !== undefined) return { view, goTo };
    if (error === undefined || !isUnusable(error)) return { view };
    return isChangedSince(error)
      ? { view, isChanged: true }
      : { view, problems: [{ field: 'card', key: 'try_another' }] };
  }

  /** Asked before anything else: a try that is refused costs no call of a processor, unless only the processor knows the card. */
  async #judge(id: string, instrument: SentInstrument) {
    const { tenant, address } = this.#place;
    const { vault, cardTesting } = this.#parts.services;
    const { id: name, declines, payment_link } = this.#session;
    const one = { tenant, id, session: name, declines, link: payment_link ?? undefined, address };
    if (instrument.kind === 'card')
      return cardTesting.check({ ...one, card: await vault.fingerprint(tenant, instrument.number) });
    if (instrument.kind !== 'confirmation') return cardTesting.check(one);
    return cardTesting.check({ ...one, lookUpCard: () => this.#confirmedCard(instrument) });
  }

  /** Equal for equal cards: what the fields of a processor have made, only it knows. */
  async #confirmedCard({ token, processor_account }: SentInstrument & { kind: 'confirmation' }) {
    const { tenant } = this.#place;
    const { processorAccounts, connectors } = this.#parts.services;
    const account = await processorAccounts.find(tenant, processor_account as ProcessorAccountId);
    if (account === undefined) return undefined;
    const { id, connector: name } = account;
    const connector = await connectors.of({ tenant, connector: name, processor_account: id });
    const confirmed = await connector.retrieveConfirmation?.(token).catch((cause: Error) => {
      throw new Unavailable(cause.message, { cause }); // nothing has begun: the same press may be repeated
    });
    const fingerprint = confirmed?.fingerprint;
    return fingerprint && `${id}/${fingerprint}`;
  }

  /** What the operation is given: a card that was typed is sealed first. */
  async #withMethod(
    instrument: SentInstrument,
    details: ShopperDetails,
  ): Promise<PayInstrument | { problems: readonly FieldProblem[] }> {
    if (instrument.kind === 'saved') return { kind: 'method', payment_method: instrument.payment_method };
    if (instrument.kind !== 'card') return instrument;
    const { kind: _, ...card } = instrument;
    const { error, result } = await this.#run('add_card', { card, details });
    if (error === undefined) return { kind: 'method', payment_method: (result as { id: string }).id };
    const problem = cardProblem(error);
    if (problem === undefined && error.code !== 'checkout_session_not_open') throw error;
    return { problems: problem === undefined ? [] : [problem] };
  }
}

const callerOf = ({ tenant, mode, address }: Pick<TokenPlace, 'tenant' | 'mode' | 'address'>) =>
  ({ kind: 'shopper', name: 'customer', tenant, mode, address }) as const;

/** A saved method must be one of the customer's, and a way one that is offered: the browser is not believed. */
function wayProblems(view: CheckoutView, instrument: SentInstrument): FieldProblem[] {
  if (view.amount_total === 0 && !view.takes_setup) return []; // no processor is asked
  const isOffered =
    instrument.kind === 'saved'
      ? view.saved.some(({ id }) => id === instrument.payment_method)
      : view.ways.some((way) =>
          instrument.kind === 'confirmation'
            ? way.kind === 'fields' && way.processor_account === instrument.processor_account
            : way.kind === (instrument.kind === 'card' ? 'own' : instrument.kind),
        );
  return isOffered ? [] : [{ field: 'card', key: 'try_another' }];
}

function cardProblem({ param }: ApiError): FieldProblem | undefined {
  const field = param?.startsWith('card.') ? param.slice('card.'.length) : undefined;
  return field === undefined ? undefined : { field, key: 'invalid' };
}

/** A refusal before any processor was asked, other than that the session has changed. */
function isUnusable({ code, status }: ApiError): boolean {
  return status === 400 && code !== 'checkout_session_not_open';
}

async function viewIn(context: Context, stored: CheckoutSession): Promise<CheckoutView> {
  const { tenant, mode: accountMode } = context;
  const session = isTimeUp(stored, context.now) ? expired(stored, 'time') : await followInvoice(context, stored);
  const suspended = await context.isSuspended(tenant);
  const isOffered = !suspended && mayBeginTry(session, context.now);
  const takes_setup = takesSetup(session);
  const [latest, saved, ways, free_until, collect] = await Promise.all([
    isShown(session) ? findShownTry(context, session) : undefined,
    session.customer === null || !isOffered || session.mode === 'setup' || paysInvoice(session)
      ? [] // the address of an invoice goes by mail, and may be passed on to somebody else who pays
      : findMethodsOf(context, session.customer, savedMax),
    isOffered && (session.amount_total > 0 || takes_setup) ? waysFor(context, session) : [],
    freeUntil(context, session),
    collectedBy(context, session),
  ]);
  const { amount_subtotal, amount_discount, description, amount_total: amount } = session;
  const placed = (url: string | null) => url?.replaceAll(sessionPlace, session.id);
  return {
    tenant,
    id: session.id,
    mode: session.mode,
    status: session.status,
    payment_status: session.payment_status,
    amount_total: amount,
    currency: session.currency,
    description,
    takes_setup,
    ...(free_until !== undefined && { free_until }),
    ...(amount_subtotal !== null && { amount_subtotal }),
    ...(amount_discount !== null && { amount_discount }),
    lines:
      session.line_items?.map(({ name, quantity, amount: all, recurring }) => ({
        name,
        quantity,
        amount: all,
        ...(recurring && { recurring }),
      })) ?? [],
    locale: session.locale === null || session.locale === 'auto' ? undefined : session.locale,
    collect,
    details: session.status === 'open' ? (session.customer_details ?? {}) : {},
    asks_email: session.customer === null && session.customer_details?.email === undefined,
    save: session.mode === 'payment' ? (session.save_payment_method ?? 'none') : 'require',
    coupons: {
      allowed: session.allow_coupons === true,
      ...(session.coupon !== null && { applied: { code: session.coupon_code ?? undefined } }),
    },
    expires_at: session.expires_at.getTime(),
    expired_reason: session.expired_reason,
    success_url: placed(session.success_url),
    cancel_url: placed(session.cancel_url),
    reference: session.reference ?? undefined,
    try: tryState(session, latest?.goTo),
    saved: saved.map(({ id, brand, last4, exp_month, exp_year }) => ({ id, brand, last4, exp_month, exp_year })),
    ways,
    test: accountMode === 'test',
    suspended,
    ...(hasSucceeded(session) && latest !== undefined && { paid: latest }),
  };
}

/** The session as its page shows it: expired if its invoice is paid or void by now, processing while another payment of it is under way. */
async function followInvoice(context: Context, session: CheckoutSession): Promise<CheckoutSession> {
  if (!paysInvoice(session) || !mayBeginTry(session, context.now)) return session;
  const invoice = await findInvoice(context, session.invoice!);
  if (invoice !== undefined && isPayable(invoice)) return session;
  return invoice?.is_charging === true ? { ...session, status: 'processing' } : expired(session, 'requested');
}

/** Whether the page shows anything of the latest try: where its customer goes on, or what was paid with. */
function isShown(session: CheckoutSession): boolean {
  return session.awaits_customer === true || hasSucceeded(session);
}

/** Whether its latest try has succeeded. Where a coupon took everything off, an earlier one may have failed. */
function hasSucceeded(session: CheckoutSession): boolean {
  return session.status === 'complete' && (session.amount_total > 0 || takesSetup(session));
}

/** Its time is over, and the job has not come to it yet. */
function isTimeUp(session: CheckoutSession, now: number): boolean {
  return session.status === 'open' && session.awaits_customer !== true && !isOpenFor(session, now);
}

function tryState({ status, awaits_customer, last_failure }: CheckoutSession, goTo: string | undefined): TryState {
  if (status === 'processing') return { state: 'confirming' };
  if (status === 'open' && awaits_customer === true)
    return goTo === undefined ? { state: 'confirming' } : { state: 'action', goTo };
  if (status === 'open' && last_failure !== null) return { state: 'declined', reason: last_failure };
  return { state: 'none' };
}

/**
 * By the processor accounts that routing names. Our own fields: in test mode where none of them serves, in live mode only where that is set.
 * A method that may be kept is offered no page of a processor without an account: only an account keeps what is chosen there.
 */
async function waysFor(context: Context, session: CheckoutSession): Promise<WayToPay[]> {
  const { amount_total: amount, currency } = session;
  const isSetup = takesSetup(session);
  const named = await takersOf(context, isSetup ? undefined : { amount, currency: currency! });
  const takers = isSetup ? named.filter(({ capabilities }) => capabilities.setup) : named;
  const mayKeep = keepsMethod(session, true);
  const ways: WayToPay[] = [];
  for (const { connector, capabilities } of takers) {
    const { fields, page } = capabilities;
    if (fields !== undefined && connector.account !== undefined)
      ways.push({ kind: 'fields', processor_account: connector.account, connector: connector.name, fields });
    const isOffered = page !== undefined && (!mayKeep || connector.account !== undefined);
    if (isOffered && !ways.some(({ kind }) => kind === 'page'))
      ways.push({ kind: 'page', ...(page.origins && { origins: page.origins }) });
  }
  const hasAccount = takers.some(({ connector }) => connector.account !== undefined);
  const takesNumbers = takers.some(({ capabilities }) => capabilities.rawCards);
  const isOwn = takesNumbers && (context.ownCardFields || (context.mode === 'test' && !hasAccount));
  return isOwn ? [{ kind: 'own' }, ...ways] : ways;
}
