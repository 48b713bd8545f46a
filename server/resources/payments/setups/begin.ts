import type { Write } from '../../../base/commit/index.ts';
import { assert } from '../../../base/errors.ts';
import { type Id, newId } from '../../../base/id.ts';
import type { Authentication, Instrument, ProcessorAccountId, SetupRequest } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { failure } from '../attempts/failure.ts';
import type { Step } from '../attempts/perform.ts';
import { takenSlot } from '../attempts/slot.ts';
import { idle } from '../attempts/subject.ts';
import type { Customer } from '../customers/customer.ts';
import { declineOf } from '../payment_methods/instrument.ts';
import { keepNumber, withKept } from '../payment_methods/kept_cards.ts';
import { openMethod } from '../payment_methods/open_method.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { useToken } from '../payment_methods/tokens.ts';
import { returnPages } from '../returns/token.ts';
import { asAskedFor, requestedPage } from '../routing/requested_page.ts';
import { type Candidates, candidatesFor } from '../routing/route.ts';
import { type Earlier, type KeepCard, type RoutedCall, routedStep } from '../routing/routed_step.ts';
import { clockedFor, createdBy } from '../test_clocks/time.ts';
import type { LoadedSetup, SetupBegun } from './settle.ts';
import type { Setup } from './setup.ts';
import { saveSetup } from './store.ts';

/** A setup that is wanted, by a request or for a subscription. */
export type SetupWish = {
  /** Chosen by the caller; by default a new one. */
  id?: Setup['id'] | undefined;
  payment_method: string;
  customer?: string | undefined;
  return_url?: string | undefined;
  metadata?: Metadata | undefined;
  subscription?: Setup['subscription'] | undefined;
  checkout_session?: Setup['checkout_session'] | undefined;
  new_customer?: Setup['new_customer'] | undefined;
  authentication?: Authentication | undefined;
  /** The rows of its owner, for the commit before a remote processor is asked. `setupSettlements` writes those of every answer. */
  begun?: SetupBegun | undefined;
  /** A cardholder who would have to authenticate is a decline. */
  declinesChallenge?: boolean | undefined;
  /** The time by which the customer lives, epoch milliseconds, from a caller that holds its clock. */
  time?: number | undefined;
};

/** A setup that can be asked for, or one that has failed before any processor was asked. */
export type PreparedSetup = { failed: Setup; writes: Write[] } | { step: Step<LoadedSetup> };

/** Everything up to asking a processor. Refuses a setup that cannot be made. */
export async function beginSetup(context: Context, wanted: SetupWish): Promise<PreparedSetup> {
  const { method, customer, instrument, uses } = await openMethod(context, wanted);
  const test_clock = method.test_clock ?? customer?.test_clock ?? null;
  const clocked = await clockedBy(context, wanted, test_clock);
  const setup = { ...newSetup(context, wanted, method, customer), ...createdBy(test_clock, clocked.now) };
  const decline = declineOf(method, clocked.now);
  if (decline !== undefined) {
    const why = failure({ setup: setup.id }, decline.code, null, undefined);
    return { failed: { ...setup, ...why, version: 1, status: 'failed' }, writes: clocked.writes };
  }
  const candidates = await candidatesFor(context, undefined, method, instrument);
  const stored = { setup, isNew: true, begun: wanted.begun };
  const step = setupStep(context, stored, { instrument, authentication: wanted.authentication }, candidates);
  // A token that is not kept for a customer serves one payment or one setup, whatever its outcome.
  const writes = [...useToken(method, step.loaded.attempt.id), ...clocked.writes, ...uses];
  return { step: { ...step, writes } };
}

/** A setup of what its cardholder chooses, on a page or in the fields of the processor: the method is not known yet. */
export type SetupChoiceWish = Omit<SetupWish, 'payment_method' | 'customer' | 'declinesChallenge' | 'subscription'> & {
  checkout_session: Id<'cs'>;
  customer?: Customer | undefined;
  instrument: Instrument<'page' | 'confirmation'>;
  /** Where a confirmation token is from: no other processor account knows it. */
  processor_account?: ProcessorAccountId | undefined;
};

/** Everything up to asking a processor for a page, or with a confirmation token. Refuses a setup that no processor can make. */
export async function beginSetupChoice(
  context: Context,
  wanted: SetupChoiceWish,
): Promise<{ step: Step<LoadedSetup> }> {
  const { customer, instrument, processor_account = null, begun, authentication } = wanted;
  const test_clock = customer?.test_clock ?? null;
  const clocked = await clockedBy(context, { ...wanted, customer: customer?.id }, test_clock);
  const unnamed = { id: null, customer: null };
  const setup = {
    ...newSetup(context, { ...wanted, customer: undefined }, unnamed, customer),
    ...createdBy(test_clock, clocked.now),
  };
  const routed = { processor_account, brand: undefined, billing: instrument.holder };
  const candidates = await candidatesFor(context, undefined, routed, instrument);
  const step = setupStep(context, { setup, isNew: true, begun }, { instrument, authentication }, candidates);
  return { step: { ...step, writes: clocked.writes } };
}

async function clockedBy(
  context: Context,
  { time, customer }: Pick<SetupWish, 'time' | 'customer'>,
  clock: Setup['test_clock'],
) {
  if (time !== undefined) return { now: time, writes: [] };
  return clockedFor(context, clock, customer === undefined ? 'payment_method' : 'customer');
}

function newSetup(
  { tenant, now }: Context,
  wanted: Omit<SetupWish, 'payment_method'>,
  method: Pick<PaymentMethod, 'customer'> & { id: Setup['payment_method'] },
  customer: Customer | undefined,
): Setup {
  return {
    tenant,
    id: wanted.id ?? newId('set', now),
    version: 0, // not stored yet
    payment_method: method.id,
    customer: customer?.id ?? method.customer,
    subscription: wanted.subscription ?? null,
    checkout_session: wanted.checkout_session ?? null,
    new_customer: wanted.new_customer ?? null,
    status: 'processing',
    declines_challenge: wanted.declinesChallenge || null,
    return_url: wanted.return_url ?? null,
    metadata: wanted.metadata ?? null,
    next_action: null,
    failure_code: null,
    failure_decline_code: null,
    failure_message: null,
    cancellation_reason: null,
    setup_attempt: null,
    open_attempt: null,
    expires_at: null,
    ...createdBy(null, now),
    ...idle,
  };
}

/** Asks processors to set a method up, one after the other until one of them has acted. */
export function setupStep(
  context: Pick<Context, 'tenant' | 'now' | 'reads' | 'connectors' | 'requestId' | 'keyring' | 'publicUrl'>,
  stored: StoredSetup,
  { instrument, authentication }: Pick<SetupRequest, 'instrument' | 'authentication'>,
  candidates: Candidates,
  earlier?: Earlier,
): Step<LoadedSetup> {
  const declinesChallenge = stored.setup.declines_challenge === true;
  const keep = instrument.kind === 'card' ? { keep: keepsFor(context, stored.setup) } : {};
  const returnUrl = returnPages.urlOf(context, stored.setup.id);
  const terms = { instrument, declinesChallenge, returnUrl, ...(authentication && { authentication }), ...keep };
  return routedStep(context, setupCall(stored, terms), candidates, earlier);
}

type StoredSetup = { setup: Setup; isNew: boolean; begun?: SetupBegun | undefined };

/** Where a processor keeps the number. One that makes no customer for it cannot charge it later, so that it is not asked. */
function keepsFor(context: Pick<Context, 'tenant' | 'reads' | 'connectors'>, { payment_method }: Setup): KeepCard {
  assert(payment_method, 'a card number is that of a stored method');
  return async (connector, attempt) => {
    const keeping = await keepNumber(context, { payment_method, isAlone: false }, connector, attempt);
    if (keeping === 'unmade') return { notSent: 'the processor has not made a customer for the card' };
    return keeping && { kept: { customer: keeping.customer, agreement: undefined }, writes: keeping.writes };
  };
}

type SetupTerms = Pick<SetupRequest, 'instrument' | 'declinesChallenge' | 'returnUrl' | 'authentication'> & {
  keep?: KeepCard;
};

function setupCall({ setup, isNew, begun }: StoredSetup, terms: SetupTerms): RoutedCall<LoadedSetup> {
  const { keep, ...request } = terms;
  return {
    facts: { setup: setup.id, verb: 'setup', amount: null },
    page: (connector, now) => requestedPage(connector, request, now),
    load: (attempt) => ({ setup: madeBy(setup, attempt), attempt, isNew, begun }),
    async call(connector, made, now, kept) {
      const { tenant, id: attempt, deadline_at } = made;
      if (connector.setup === undefined) throw new Error(`${connector.name} was asked to set up what it cannot`);
      const instrument = asAskedFor(withKept(request.instrument, kept), made);
      const asked = { tenant, attempt, now, deadline: deadline_at.getTime() };
      return connector.setup({ ...request, ...asked, instrument, setup: setup.id });
    },
    keep,
    begin: takeSlot,
    after: ({ setup: before, isNew: isUnstored = false }) =>
      setupCall({ setup: before, isNew: isUnstored, begun }, terms),
  };
}

/** A setup whose outcome was unknown names the attempt that may have succeeded. It names the next one once it is passed on. */
function madeBy(setup: Setup, { id }: Attempt): Setup {
  return setup.setup_attempt === null ? setup : { ...setup, setup_attempt: id };
}

/** The setup while a remote processor is asked. */
export function takeSlot(loaded: LoadedSetup): Step<LoadedSetup>['begin'] {
  return (attempt, due) => {
    const { isNew = false, begun } = loaded;
    const setup = takenSlot(loaded.setup, isNew, attempt, due);
    const writes = [saveSetup(setup), ...(isNew ? (begun?.(setup) ?? []) : [])];
    return { loaded: { ...loaded, setup, attempt, isNew: false }, writes };
  };
}
