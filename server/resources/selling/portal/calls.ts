import { ApiError, assert } from '../../../base/errors.ts';
import { type Id, newId } from '../../../base/id.ts';
import type { Secret } from '../../../base/secret.ts';
import type { CustomerCaller } from '../../../operations/caller.ts';
import type { Once } from '../../../operations/executor.ts';
import type { FileAnswer, Outcome } from '../../../operations/operation.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { accountIdOf, modeOf } from '../../../operations/tenants.ts';
import { hostedPages } from '../../billing/invoices/hosted_pages.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { findCustomerById } from '../../payments/customers/operations.ts';
import { newToken } from '../../people/sessions/session.ts';
import type { CodeResult } from '../portal_codes/operations.ts';
import { portalBase, portalLinks } from '../portal_sessions/links.ts';
import { canBegin, isOpen, type PortalSession } from '../portal_sessions/portal_session.ts';
import {
  findByCookie,
  noteUsed,
  portalSessionsTable,
  type SeenPortalSession,
} from '../portal_sessions/session_rows.ts';
import type { PortalPlace } from './place.ts';

/** A customer who has signed in, and from where. */
export type SignedInCustomer = PortalPlace & { session: SeenPortalSession; customer: Customer; address: string };

/** A link that can be used. */
export type OpenLink = { place: PortalPlace; session: PortalSession; customer: Customer };

/** A session that has just begun. */
export type BegunVisit = { place: PortalPlace; token: Secret; goTo: string };

type Parameters = Record<string, unknown>;

/** What was sent is done once by the state of its object: what has happened already cannot happen again. */
const once: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

const noteEveryMs = 60_000;

/** What the pages of the portal ask. They believe nothing but the token of a link, and the cookie. */
export class PortalCalls {
  readonly #services: JobServices;
  readonly #declared: Declared;

  constructor(services: JobServices, declared: Declared) {
    this.#services = services;
    this.#declared = declared;
  }

  /** Who has signed in. Undefined: nobody; or the session is over, or its customer is deleted. */
  async signedIn(
    place: PortalPlace,
    token: string | undefined,
    address: string,
  ): Promise<SignedInCustomer | undefined> {
    if (token === undefined) return undefined;
    const { reads, clock, durable } = this.#services;
    const { tenant } = place;
    const session = await findByCookie(reads, tenant, this.#hashOf(token));
    const now = clock.now();
    if (session === undefined || !isOpen(session, now)) return undefined;
    const customer = await findCustomerById({ reads, tenant }, session.customer);
    if (customer === undefined) return undefined;
    const lastNoted = session.last_used ?? session.begun_at!;
    if (now - lastNoted.getTime() >= noteEveryMs)
      await durable.at(session.tenant, (sql) => noteUsed(sql, session, now));
    return { ...place, session, customer, address };
  }

  /** The link that a token names, as long as it can be used. A visit does not use it up: scanners of mail follow links. */
  async findLink(token: string): Promise<OpenLink | undefined> {
    const { reads, keyring, clock } = this.#services;
    const named = portalLinks.read(keyring, token);
    if (named === undefined) return undefined;
    const { tenant, id } = named;
    const session = await reads.one(portalSessionsTable, tenant, id);
    if (session === undefined || !canBegin(session, clock.now())) return undefined;
    const customer = await findCustomerById({ reads, tenant }, session.customer);
    if (customer === undefined) return undefined;
    const [account, mode] = await Promise.all([accountIdOf(reads, tenant), modeOf(reads, tenant)]);
    return { place: { tenant, account, mode, base: portalBase(account, mode) }, session, customer };
  }

  /** The press of the button. Of several at the same moment, one signs in. */
  async begin({ place, session }: OpenLink, address: string): Promise<BegunVisit | undefined> {
    const token = newToken();
    const parameters = { hash: this.#hashOf(token.open()) };
    const outcome = await this.#asShopper('portal_sessions.begin', { place, address, id: session.id, parameters });
    if (outcome.error !== undefined) return undefined;
    return { place, token, goTo: flowPath(place, session, this.#services) };
  }

  /** The id of the code that was asked for; undefined: the network asks for too many. */
  async requestCode(
    place: PortalPlace,
    email: string,
    language: string,
    address: string,
  ): Promise<{ ask: string; secondsLeft?: never } | { ask?: never; secondsLeft: number }> {
    const secondsLeft = await this.#services.portalCodeLimit.take(address);
    if (secondsLeft !== undefined) return { secondsLeft };
    const call = { place, address, id: '', parameters: { email, language } };
    const { result } = await this.#asShopper('portal_codes.request', call);
    return { ask: (result as { id: string }).id };
  }

  async enterCode(
    place: PortalPlace,
    ask: string,
    code: string,
    address: string,
  ): Promise<BegunVisit | Exclude<CodeResult, { state: 'begun' }>> {
    return this.#byCode('portal_codes.enter', { place, address, id: ask, parameters: { code } });
  }

  /** Undefined: that was chosen already, or is not to be chosen. */
  async choose(place: PortalPlace, ask: string, customer: string, address: string): Promise<BegunVisit | undefined> {
    const chosen = await this.#byCode('portal_codes.choose', { place, address, id: ask, parameters: { customer } });
    return 'token' in chosen ? chosen : undefined;
  }

  async #byCode(
    name: string,
    { parameters, ...call }: { place: PortalPlace; address: string; id: string; parameters: Parameters },
  ): Promise<BegunVisit | Exclude<CodeResult, { state: 'begun' }>> {
    const token = newToken();
    const hash = this.#hashOf(token.open());
    const { error, result } = await this.#asShopper(name, { ...call, parameters: { ...parameters, hash } });
    const state = error === undefined ? (result as CodeResult) : ({ state: 'wrong' } as const);
    return state.state === 'begun' ? { place: call.place, token, goTo: call.place.base } : state;
  }

  async signOut({ session, address, ...place }: SignedInCustomer, everywhere: boolean): Promise<void> {
    const name = everywhere ? 'portal_sessions.end_all' : 'portal_sessions.end';
    await this.#asShopper(name, { place, address, id: session.id, parameters: {} });
  }

  /** What an operation answers that reads; undefined: there is no such object. */
  async read<Result>(
    who: SignedInCustomer,
    name: string,
    id = '',
    parameters: Parameters = {},
  ): Promise<Result | undefined> {
    const answer = await this.#read(who, name, id, parameters);
    return answer && ((answer as Outcome).result as Result);
  }

  async file(who: SignedInCustomer, name: string, id: string): Promise<FileAnswer['file'] | undefined> {
    const answer = await this.#read(who, name, id, {});
    assert(answer === undefined || 'file' in answer, 'documents are answered as files');
    return answer?.file;
  }

  /**
   * Runs an operation as the customer. A refusal is in the outcome. Everything that comes of it has the id of this act, as it has the id of the
   * request of a key: by it, a timeline knows that the customer did it.
   */
  change(who: SignedInCustomer, name: string, id: string, parameters: Parameters = {}): Promise<Outcome> {
    const { executor, clock } = this.#services;
    const operation = this.#declared.operation(name);
    const requestId = newId('act', clock.now());
    return executor.change({ operation, caller: callerOf(who), id, parameters, requestId }, once);
  }

  async #read(who: SignedInCustomer, name: string, id: string, parameters: Parameters) {
    const operation = this.#declared.operation(name);
    try {
      return await this.#services.executor.read({ operation, caller: callerOf(who), id, parameters, requestId: null });
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) return undefined;
      throw error;
    }
  }

  #asShopper(
    name: string,
    { place, address, ...call }: { place: PortalPlace; address: string; id: string; parameters: Parameters },
  ): Promise<Outcome> {
    const { tenant, mode } = place;
    const caller = { kind: 'shopper', name: 'customer', tenant, mode, address } as const;
    return this.#services.executor.change(
      { operation: this.#declared.operation(name), caller, requestId: null, ...call },
      once,
    );
  }

  #hashOf(token: string): Buffer {
    return this.#services.keyring.hmac('portal', token);
  }
}

function callerOf({ tenant, mode, account, customer, address }: SignedInCustomer): CustomerCaller {
  return { kind: 'customer', tenant, mode, account, customer: customer.id, address };
}

/** Where a link leads to. */
function flowPath(
  { base, tenant }: PortalPlace,
  { flow, subject }: PortalSession,
  { keyring }: Pick<JobServices, 'keyring'>,
): string {
  if (flow === 'payment_method_update') return `${base}#payment_methods`;
  if (flow === 'subscription_cancel') return `${base}/subscriptions/${subject}/cancel`;
  if (flow === 'subscription_update') return `${base}/subscriptions/${subject}/change`;
  return flow === 'invoice_pay' ? hostedPages.pathOf({ keyring, tenant }, subject as Id<'in'>) : base;
}
