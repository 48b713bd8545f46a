import type { Clock } from '../../../base/clock.ts';
import { networkOf } from '../../../base/ip_range.ts';
import { SingleFlight } from '../../../base/single_flight.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { every, type Timer } from '../../../base/timers.ts';

/** What somebody tried, and was refused: a guess, a request from another site, something that the role does not permit. */
export type RefusedAct = {
  /** The code of the refusal. */
  action: string;
  /** The email of a user, or `visitor`. */
  actor: string;
  user?: string | undefined;
  /** The account that it was tried in. When not given: all accounts of the user. */
  account?: string | undefined;
  /** Whether the actor has no role in that account. */
  isStranger?: boolean;
  subject?: string | undefined;
  address: string;
  requestId: string | null;
  details: object;
};

export type RefusedActRecorder = { add(act: RefusedAct): void };

// What nobody can exceed, so that nobody can fill the table. Acts beyond a limit are dropped and counted. Each account and each user has a
// separate budget: a flood elsewhere does not hide an attack on them.
const perActorMax = 10;
const perAccountMax = 100;
const visitorsMax = 300;
const waitingMax = 10_000;
const minuteMs = 60_000;
const flushEveryMs = 250;
export const keptDays = 90;

/** Writes what was refused to the audit log: in batches, beside the answers, which never wait for it. */
export class RefusedActs implements RefusedActRecorder {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #onDrop: (entries: number) => void;
  readonly #writing = new SingleFlight(() => this.#write());
  readonly #timer: Timer;
  #waiting: object[] = [];
  #minute = 0;
  /** Of this minute, by actor and by budget. */
  #counts = new Map<string, number>();

  constructor(pool: Pool, clock: Clock, onDrop: (entries: number) => void) {
    this.#pool = pool;
    this.#clock = clock;
    this.#onDrop = onDrop;
    this.#timer = every(flushEveryMs, () => void this.flush());
  }

  add(act: RefusedAct): void {
    const { requestId, user, isStranger: _, ...rest } = act;
    const row = { ...rest, at: this.#clock.now() / 1_000, user_id: user, request_id: requestId };
    if (this.#isWithinBounds(act)) this.#waiting.push(row);
    else this.#onDrop(1);
  }

  flush(): Promise<void> {
    return this.#writing.run();
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.flush();
    await this.flush(); // what was added while the first write was in flight
  }

  #isWithinBounds(act: RefusedAct): boolean {
    const minute = Math.floor(this.#clock.now() / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
    const limits = [actorLimit(act), budgetOf(act)];
    const isFull = limits.some(({ key, max }) => (this.#counts.get(key) ?? 0) >= max);
    if (isFull || this.#waiting.length >= waitingMax) return false;
    for (const { key } of limits) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return true;
  }

  async #write(): Promise<void> {
    const acts = this.#waiting;
    if (acts.length === 0) return;
    this.#waiting = [];
    await insertRefused(this.#pool, acts).catch(() => this.#onDrop(acts.length));
  }
}

type Limit = { key: string; max: number };

function actorLimit({ user, address, action }: RefusedAct): Limit {
  return { key: `actor ${user ?? networkOf(address)} ${action}`, max: perActorMax };
}

/** Anybody can name an account in which they have no role: what they are refused must not use up the budget of its members. */
function budgetOf({ account, isStranger, user }: RefusedAct): Limit {
  if (account !== undefined)
    return { key: `${isStranger ? 'strangers in' : 'account'} ${account}`, max: perAccountMax };
  return user !== undefined ? { key: `user ${user}`, max: perAccountMax } : { key: 'visitors', max: visitorsMax };
}

/** Whose accounts are concerned is found here: looking it up while the request waits would tell known emails from unknown ones by the time. */
async function insertRefused(pool: Pool, acts: readonly object[]): Promise<void> {
  await query(
    pool,
    `insert into audit (at, actor, action, account, subject, user_id, address, request_id, details, refused)
     select to_timestamp(x.at), x.actor, x.action, coalesce(x.account, m.account), x.subject, x.user_id, x.address, x.request_id,
            x.details, true
       from json_to_recordset($1::json) as x (at float8, actor text, action text, account text, subject text, user_id text,
            address text, request_id text, details json)
       left join memberships m on x.account is null and m.user_id = x.user_id`,
    [JSON.stringify(acts)],
    'audit_refused_insert',
  );
}

/** What people have changed is kept for ever; what they were refused is not. */
export async function sweepRefused(pool: Pool): Promise<void> {
  await query(pool, 'delete from audit where refused and at < now() - make_interval(days => $1)', [keptDays]);
}
