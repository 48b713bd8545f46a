import { type ApiError, Unavailable } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import type { Mode, Tenant } from '../../../base/reads.ts';
import type { Secret } from '../../../base/secret.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Call, Once } from '../../../operations/executor.ts';
import type { Context, Outcome } from '../../../operations/operation.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { modeOf } from '../../../operations/tenants.ts';
import { findMethodsOf } from '../../payments/payment_methods/of_checkout.ts';
import { takersOf } from '../../payments/routing/route.ts';
import { holdPlace, type PlaceAnswer } from '../payment_link_state/places.ts';
import {
  type CheckoutSession,
  isOpenFor,
  keepsMethod,
  mayBeginTry,
  type ShopperDetails,
  takesSetup,
} from './checkout_session.ts';
import { detailProblems, type FieldProblem } from './details.ts';
import { sessionPlace } from './operations.ts';
import { isChangedSince, type PayInstrument } from './pay.ts';
import { expired } from './settle.ts';
import { findShownTry, freeUntil } from './shown.ts';
import { sessionsTable } from './store.ts';
import { readCheckoutToken } from './token.ts';
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
  /** The IP address of the customer. */
  address: string;
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

export type CheckoutCalls = {
  find(token: string, address: string): Promise<CheckoutView | undefined>;
  /** The press of the button: one try. */
  pay(token: string, input: PayInput): Promise<TryAnswer | undefined>;
  /** "Use another payment method": closes the page of the processor first. */
  closeTry(token: string, address: string): Promise<CheckoutView | undefined>;
  /** Without a code the coupon is taken back. */
  applyCoupon(token: string, code: string | undefined, address: string): Promise<TryAnswer | undefined>;
};

/** A try is guarded by the version of its session: of two, the second decides again, and finds that it may not begin. */
const guarded: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

type TokenPlace = { tenant: Tenant; id: CheckoutSession['id']; mode: Mode; address: string };

/** What the page of checkout sessions calls. It believes nothing but the token, and decides no amount. */
export function checkoutCalls(services: JobServices, declared: Declared): CheckoutCalls {
  return new PageCalls(services, declared);
}

class PageCalls implements CheckoutCalls {
  readonly #services: JobServices;
  readonly #declared: Declared;

  constructor(services: JobServices, declared: Declared) {
    this.#services = services;
    this.#declared = declared;
  }

  async find(token: string, address: string): Promise<CheckoutView | undefined> {
    const found = await this.#find(token, address);
    return found && this.#viewOf(found.place, found.session);
  }

  async pay(token: string, input: PayInput): Promise<TryAnswer | undefined> {
    const found = await this.#find(token, input.address);
    if (found === undefined) return undefined;
    const { place, session } = found;
    const view = await this.#viewOf(place, session);
    if (view.suspended || !mayBeginTry(session, this.#services.clock.now()))
      return { view, ...(!view.suspended && view.try.goTo && { goTo: view.try.goTo }) };
    if (input.amount !== undefined && input.amount !== session.amount_total) return { view, isChanged: true };
    const problems = [...detailProblems(session, input.details), ...wayProblems(view, input.instrument)];
    return problems.length > 0 ? { view, problems } : this.#tryToPay(place, session, input);
  }

  async closeTry(token: string, address: string): Promise<CheckoutView | undefined> {
    const found = await this.#find(token, address);
    if (found === undefined) return undefined;
    if (!(await this.#isSuspended(found.place))) await this.#run(found.place, 'close_try');
    return this.#after(found.place);
  }

  async applyCoupon(token: string, code: string | undefined, address: string): Promise<TryAnswer | undefined> {
    const found = await this.#find(token, address);
    if (found === undefined) return undefined;
    if (await this.#isSuspended(found.place)) return { view: await this.#after(found.place) };
    const { error } = await this.#run(found.place, 'enter_coupon', code === undefined ? {} : { code });
    const view = await this.#after(found.place);
    return error?.code === 'parameter_invalid' ? { view, problems: [{ field: 'coupon', key: 'invalid' }] } : { view };
  }

  async #find(token: string, address: string): Promise<{ place: TokenPlace; session: CheckoutSession } | undefined> {
    const { keyring, reads } = this.#services;
    const named = readCheckoutToken(keyring, token);
    if (named === undefined) return undefined;
    const place = { ...named, address, mode: await modeOf(reads, named.tenant) };
    const session = await this.#read(place);
    return session && { place, session };
  }

  #read({ tenant, id }: TokenPlace): Promise<CheckoutSession | undefined> {
    return this.#services.reads.one(sessionsTable, tenant, id);
  }

  /** A suspended account takes no payments, and nothing is asked of a processor for its customers. */
  #isSuspended({ tenant }: TokenPlace): Promise<boolean> {
    return this.#services.isSuspended(tenant);
  }

  #viewOf(place: TokenPlace, session: CheckoutSession): Promise<CheckoutView> {
    const { tenant, mode, id } = place;
    const now = this.#services.clock.now();
    const context = { ...this.#services, tenant, mode, id, now, requestId: null, caller: callerOf(place) };
    return viewIn(context as unknown as Context, session, this.#services.ownCardFields);
  }

  #run(place: TokenPlace, name: string, parameters: Call['parameters'] = {}): Promise<Outcome> {
    const operation = this.#declared.operation(`checkout_sessions.${name}`);
    const call = { operation, caller: callerOf(place), id: place.id, requestId: null, parameters };
    return this.#services.executor.change(call, guarded);
  }

  /** The view after an operation, whatever its outcome. */
  async #after(place: TokenPlace): Promise<CheckoutView> {
    return this.#viewOf(place, (await this.#read(place))!);
  }

  /** The place of its payment link that the session has, from now to the outcome of the try. A link that is sold out has none. */
  async #place({ tenant, id, payment_link }: CheckoutSession): Promise<PlaceAnswer> {
    if (payment_link === null) return 'unlimited';
    const { durable, clock } = this.#services;
    return holdPlace(durable, { tenant, link: payment_link, session: id, now: clock.now() });
  }

  async #tryToPay(place: TokenPlace, session: CheckoutSession, input: PayInput): Promise<TryAnswer> {
    const { instrument, details, save = false, amount } = input;
    const { terms: _, ...typed } = details;
    const id = newId(takesSetup(session) ? 'set' : 'py', this.#services.clock.now());
    const verdict = await this.#judge(place, session, id, instrument);
    if (verdict.kind === 'refused') return { view: await this.#after(place), refused: { until: verdict.until } };
    const { authentication } = verdict;
    const added = await this.#withMethod(place, instrument, typed);
    if ('problems' in added) return { view: await this.#after(place), problems: added.problems };
    const sold = await this.#place(session);
    if (sold === 'sold_out') {
      await this.#run(place, 'expire');
      return { view: await this.#after(place) };
    }
    const { error } = await this.#run(place, 'pay', {
      id,
      instrument: added,
      details: typed,
      saves: keepsMethod(session, save),
      authentication,
      ...(amount !== undefined && { amount }),
      ...(sold === 'held' && { needs_place: true }),
    });
    if (error !== undefined && sold === 'held') await this.#run(place, 'drop_place');
    return this.#answerTo(await this.#after(place), error);
  }

  #answerTo(view: CheckoutView, error: ApiError | undefined): TryAnswer {
    const { goTo } = view.try;
    if (goTo !== undefined) return { view, goTo };
    if (error === undefined || !isUnusable(error)) return { view };
    return isChangedSince(error)
      ? { view, isChanged: true }
      : { view, problems: [{ field: 'card', key: 'try_another' }] };
  }

  /** Asked before anything else: a try that is refused costs nothing. */
  async #judge({ tenant, address }: TokenPlace, session: CheckoutSession, id: string, instrument: SentInstrument) {
    const card = await this.#fingerprintOf(tenant, instrument);
    const { id: name, declines, payment_link } = session;
    const one = { tenant, id, session: name, declines, link: payment_link ?? undefined, address, card };
    return this.#services.cardTesting.check(one);
  }

  /** Equal for equal cards; undefined where the card is not known before the try. What the fields of a processor have made, only it knows. */
  async #fingerprintOf(tenant: Tenant, instrument: SentInstrument): Promise<Buffer | string | undefined> {
    if (instrument.kind === 'card') return this.#services.vault.fingerprint(tenant, instrument.number);
    if (instrument.kind !== 'confirmation') return undefined;
    const { processorAccounts, connectors } = this.#services;
    const account = await processorAccounts.find(tenant, instrument.processor_account as ProcessorAccountId);
    if (account === undefined) return undefined;
    const { id, connector: name } = account;
    const connector = await connectors.of({ tenant, connector: name, processor_account: id });
    const confirmed = await connector.retrieveConfirmation?.(instrument.token).catch((cause: Error) => {
      throw new Unavailable(cause.message, { cause }); // nothing has begun: the same press may be repeated
    });
    const fingerprint = confirmed?.fingerprint;
    return fingerprint && `${id}/${fingerprint}`;
  }

  /** What the operation is given: a card that was typed is sealed first. */
  async #withMethod(
    place: TokenPlace,
    instrument: SentInstrument,
    details: ShopperDetails,
  ): Promise<PayInstrument | { problems: readonly FieldProblem[] }> {
    if (instrument.kind === 'saved') return { kind: 'method', payment_method: instrument.payment_method };
    if (instrument.kind !== 'card') return instrument;
    const { kind: _, ...card } = instrument;
    const { error, result } = await this.#run(place, 'add_card', { card, details });
    if (error === undefined) return { kind: 'method', payment_method: (result as { id: string }).id };
    const problem = cardProblem(error);
    if (problem === undefined && error.code !== 'checkout_session_not_open') throw error;
    return { problems: problem === undefined ? [] : [problem] };
  }
}

const callerOf = ({ tenant, mode, address }: Pick<TokenPlace, 'tenant' | 'mode' | 'address'>) =>
  ({ kind: 'customer', name: 'customer', tenant, mode, address }) as const;

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

async function viewIn(context: Context, stored: CheckoutSession, ownCardFields: boolean): Promise<CheckoutView> {
  const { tenant, mode: accountMode } = context;
  const session = isTimeUp(stored, context.now) ? expired(stored, 'time') : stored;
  const suspended = await context.isSuspended(tenant);
  const isPayable = !suspended && mayBeginTry(session, context.now);
  const takes_setup = takesSetup(session);
  const [latest, saved, ways, free_until] = await Promise.all([
    findShownTry(context, session),
    session.customer === null || !isPayable || session.mode === 'setup'
      ? []
      : findMethodsOf(context, session.customer, savedMax),
    isPayable && (session.amount_total > 0 || takes_setup) ? waysFor(context, session, ownCardFields) : [],
    freeUntil(context, session),
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
    collect: session.collect ?? {},
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
async function waysFor(context: Context, session: CheckoutSession, ownCardFields: boolean): Promise<WayToPay[]> {
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
  const isOwn = takesNumbers && (ownCardFields || (context.mode === 'test' && !hasAccount));
  return isOwn ? [{ kind: 'own' }, ...ways] : ways;
}
