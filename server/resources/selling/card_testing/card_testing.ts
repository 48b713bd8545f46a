import { BriefCache } from '../../../base/brief_cache.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Write } from '../../../base/commit/index.ts';
import { networkOf } from '../../../base/ip_range.ts';
import { KeyedQueue } from '../../../base/keyed_queue.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { SqlAt } from '../../../base/places/sql_at.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { AccountServices } from '../../people/accounts/settings.ts';
import { alarmMs, cardRefusalOf, isSessionUsedUp, isSuspicious, openMs, refusalOf, type TryRefusal } from './limits.ts';
import {
  addCardUnless,
  addUnless,
  alarmEnd,
  type CardTry,
  type CardTryState,
  findTry,
  raiseAlarm,
  removeTry,
  replaceTry,
  shareOf,
} from './store.ts';

/** A try to pay, before any processor is asked. */
export type WantedTry = {
  tenant: Tenant;
  /** Names the try: the id of its payment or setup. The same one is counted once. */
  id: string;
  session: string;
  /** How many tries of the session were declined before. */
  declines: number;
  /** The payment link of the session. */
  link?: string | undefined;
  /** The IP address of the shopper. */
  address: string;
  /** Equal for equal cards, such as the fingerprint of the vault; undefined while the card is not known. */
  card?: CardName;
  /** Asks the processor for it, where only the processor knows. Asked of a try that nothing else refuses. */
  lookUpCard?: (() => Promise<CardName>) | undefined;
};
type CardName = Buffer | string | undefined;

/** `authentication`: what the processor is to ask of the card. */
export type TryVerdict = { kind: 'allowed'; authentication: 'issuer' | 'always' } | ({ kind: 'refused' } & TryRefusal);

type LimitsInMode = Awaited<ReturnType<AccountServices['cardTestingLimitsOf']>>;

type CardTestingParts = {
  /** That of the rate limits: a restart of the gateway refills nothing. */
  relaxed: SqlAt;
  reads: Pick<Reads, 'one'>;
  clock: Clock;
  keyring: Keyring;
  limitsOf: AccountServices['cardTestingLimitsOf'];
};

/** Of one address or card: longer ones are refused. */
const queueMs = 5_000;
const lookMs = 1_000;
const entriesMax = 10_000;

/**
 * Limits against people who find out by a checkout which stolen cards are good. A try is counted before a processor is asked and
 * keeps its place until its outcome, so that many at the same moment, over all instances, find no more than the limit.
 */
export class CardTesting {
  readonly #parts: CardTestingParts;
  readonly #queue = new KeyedQueue();
  readonly #alarms: BriefCache<Tenant, boolean>;
  /** Addresses that are refused, by their limit. A flood of tries then costs the database nothing. */
  readonly #refused = new Map<string, { refusal: TryRefusal; until: number }>();

  constructor(parts: CardTestingParts) {
    this.#parts = parts;
    this.#alarms = new BriefCache({ clock: parts.clock, keptMs: lookMs, entriesMax });
  }

  /** Counts a try that is allowed. Called with no transaction open, and before anything of the try is written. */
  async check(wanted: WantedTry): Promise<TryVerdict> {
    const limits = await this.#parts.limitsOf(wanted.tenant);
    if (isSessionUsedUp(limits, wanted.declines))
      return { kind: 'refused', why: 'declines_per_session', until: undefined };
    if (limits.isTestMode && !limits.in_test_mode) return { kind: 'allowed', authentication: 'issuer' };
    const refusal = (await this.#refuse(wanted, limits)) ?? (await this.#refuseCard(wanted, limits));
    if (refusal !== undefined) return { kind: 'refused', ...refusal };
    const isAlarmed = await this.#alarms.get(wanted.tenant, () => this.#lookForAlarm(wanted.tenant, limits));
    return { kind: 'allowed', authentication: isAlarmed ? 'always' : 'issuer' };
  }

  /** Counts a session that an address begins by a link. It is counted once, whatever is tried in it. */
  async checkLink(
    begun: Pick<WantedTry, 'tenant' | 'session' | 'address'> & { link: string },
  ): Promise<TryRefusal | undefined> {
    const limits = await this.#parts.limitsOf(begun.tenant);
    if (limits.isTestMode && !limits.in_test_mode) return undefined;
    return this.#refuse({ ...begun, id: begun.session, declines: 0 }, limits, 'begun');
  }

  /** Whether a session with so many declines takes no more tries, and expires. */
  async isSessionUsedUp(tenant: Tenant, declines: number): Promise<boolean> {
    return isSessionUsedUp(await this.#parts.limitsOf(tenant), declines);
  }

  /**
   * The writes that record the outcome of a try, for the commit of that outcome. None if the try was not counted. A try that has passed
   * may be declined later, by a cardholder who does not authenticate.
   */
  async outcome(tenant: Tenant, id: string, isDeclined: boolean): Promise<Write[]> {
    const stored = await findTry(this.#parts.reads, tenant, id);
    const state = isDeclined ? 'declined' : 'passed';
    if (stored === undefined || stored.state === state || stored.state === 'declined') return [];
    const declined_at = isDeclined ? new Date(this.#parts.clock.now()) : null;
    return [replaceTry({ ...stored, version: stored.version + 1, state, declined_at })];
  }

  async #refuse(
    wanted: WantedTry,
    limits: LimitsInMode,
    state: CardTryState = 'open',
  ): Promise<TryRefusal | undefined> {
    const added = this.#tryOf(wanted, state);
    const name = `${added.network.toString('base64')}/${limits.declines_per_address}`;
    const known = this.#knownRefusal(name);
    if (known !== undefined) return known;
    const release = await this.#queue.acquire(name, queueMs);
    if (release === undefined) return { why: 'declines_per_address', until: added.at.getTime() + openMs };
    try {
      const now = this.#parts.clock.now();
      const one = { ...added, at: new Date(now) };
      const refusal = await this.#parts.relaxed.at(one.tenant, (sql) =>
        addUnless(sql, one, limits, (facts) => refusalOf(limits, facts, now)),
      );
      if (refusal?.why === 'declines_per_address') this.#remember(name, refusal, now);
      return refusal;
    } finally {
      release();
    }
  }

  /** Of a try that is counted already. */
  async #refuseCard(wanted: WantedTry, limits: LimitsInMode): Promise<TryRefusal | undefined> {
    const { relaxed } = this.#parts;
    if (wanted.lookUpCard === undefined || limits.sessions_per_card === 0) return undefined;
    const name = await wanted.lookUpCard().catch(async (cause: unknown) => {
      await relaxed.at(wanted.tenant, (sql) => removeTry(sql, wanted));
      throw cause;
    });
    const { card, ...one } = this.#tryOf({ ...wanted, card: name }, 'open');
    if (card === null) return undefined;
    return relaxed.at(one.tenant, (sql) =>
      addCardUnless(sql, { ...one, card }, limits, (facts) => cardRefusalOf(limits, facts)),
    );
  }

  #tryOf({ tenant, id, session, link, address, card }: WantedTry, state: CardTryState): CardTry {
    const hash = (text: string) => this.#parts.keyring.hmac('card_testing', `${tenant}/${text}`);
    return {
      tenant,
      id,
      version: 1,
      session,
      link: link ?? null,
      network: hash(`address/${networkOf(address)}`),
      card: card === undefined ? null : hash(`card/${typeof card === 'string' ? card : card.toString('base64')}`),
      state,
      at: new Date(this.#parts.clock.now()),
      declined_at: null,
    };
  }

  #knownRefusal(name: string): TryRefusal | undefined {
    const known = this.#refused.get(name);
    if (known === undefined) return undefined;
    if (known.until > this.#parts.clock.monotonic()) return known.refusal;
    this.#refused.delete(name);
    return undefined;
  }

  /** A refusal because of open tries ends within a minute, or at any moment before: it is not remembered. */
  #remember(name: string, refusal: TryRefusal, now: number): void {
    const leftMs = refusal.until! - now;
    if (leftMs <= openMs) return;
    if (this.#refused.size >= entriesMax) this.#refused.clear();
    this.#refused.set(name, { refusal, until: this.#parts.clock.monotonic() + leftMs });
  }

  /** Whether every card is to be authenticated. Looked at by tries alone: without them there is nothing to be alarmed about. */
  async #lookForAlarm(tenant: Tenant, limits: LimitsInMode): Promise<boolean> {
    const { relaxed, clock } = this.#parts;
    if (limits.decline_share === 0) return false;
    const now = clock.now();
    const share = await relaxed.at(tenant, (sql) => shareOf(sql, tenant, now));
    if (isSuspicious(limits, share)) {
      const alarm = { tenant, since: new Date(now), until: new Date(now + alarmMs), ...share };
      await relaxed.at(tenant, (sql) => raiseAlarm(sql, alarm));
      return true;
    }
    return ((await relaxed.at(tenant, (sql) => alarmEnd(sql, tenant))) ?? 0) > now;
  }
}
