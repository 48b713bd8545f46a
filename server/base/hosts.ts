import type { Host, Target } from './database_url.ts';
import { settlesWithin } from './keyed_queue.ts';
import { Unfit } from './unfit.ts';

/** The state that a server reports of itself. */
export type SessionState = { isStandby: boolean; isReadOnly: boolean };

type HostAnswer = PromiseSettledResult<SessionState>;

/** How long a host may be silent before the next one is asked as well: a host that has vanished must not hold up the others. */
const staggerMs = 300;

const suits: Readonly<Record<Exclude<Target, 'prefer-standby'>, (state: SessionState) => boolean>> = {
  any: () => true,
  'read-write': ({ isStandby, isReadOnly }) => !isStandby && !isReadOnly,
  'read-only': ({ isStandby, isReadOnly }) => isStandby || isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
};

const noPrimary = {
  reason: 'no primary',
  message:
    'no host in DATABASE_URL accepts changes; promote a standby, or start the primary. Tollgate continues by itself',
};

/** Which host a new connection goes to. */
export type Hosts = {
  choose(): Promise<Host>;
  /** Called when a connection to the host has failed. */
  forget(host: Host): void;
  /** Rejects a session that is of another kind than the one that was chosen. */
  check(host: Host, state: SessionState): void;
  /** Whether an open connection to this host is still of use. */
  isCurrent?(host: Host): boolean;
};

/**
 * Chooses among the hosts of an address, as libpq does for `target_session_attrs`. The choice is kept until a connection to it fails, or
 * turns out to be of another kind: after a failover the next connection finds the new primary.
 */
export class HostChoice implements Hosts {
  readonly #hosts: readonly Host[];
  readonly #target: Target;
  readonly #ask: (host: Host) => Promise<SessionState>;
  #chosen: Host | undefined;
  #choosing: Promise<Host> | undefined;

  /** `ask` opens a connection to a host, and closes it again. */
  constructor(hosts: readonly Host[], target: Target, ask: (host: Host) => Promise<SessionState>) {
    this.#hosts = hosts;
    this.#target = target;
    this.#ask = ask;
  }

  /** The host for a new connection. Who asks while a choice is being made waits for it. */
  async choose(): Promise<Host> {
    if (this.#chosen !== undefined) return this.#chosen;
    this.#choosing ??= this.#search().finally(() => {
      this.#choosing = undefined;
    });
    this.#chosen = await this.#choosing;
    return this.#chosen;
  }

  forget(host: Host): void {
    if (this.#chosen === host) this.#chosen = undefined;
  }

  /** Rejects a session of another kind: its server may have changed since it was chosen. */
  check(host: Host, state: SessionState): void {
    if (this.#target !== 'prefer-standby' && !suits[this.#target](state)) throw this.#misfit([describe(host, state)]);
  }

  async #search(): Promise<Host> {
    const wanted = this.#target === 'prefer-standby' ? suits.standby : suits[this.#target];
    const answers: HostAnswer[] = [];
    const asked: Promise<void>[] = [];
    const { promise: found, resolve } = Promise.withResolvers<void>();
    let isFound = false;
    for (const [at, host] of this.#hosts.entries()) {
      const asking = Promise.allSettled([this.#ask(host)]).then(([answer]) => {
        answers[at] = answer;
        if (answer.status === 'rejected' || !wanted(answer.value)) return;
        isFound = true;
        resolve();
      });
      asked.push(asking);
      await settlesWithin(Promise.race([asking, found]), staggerMs);
      if (isFound) break;
    }
    await Promise.race([Promise.all(asked), found]);
    const host = this.#hosts[this.#bestOf(answers, wanted)];
    if (host === undefined) throw this.#failure(answers);
    return host;
  }

  /** A host that has not answered yet has no answer here. */
  #bestOf(answers: readonly (HostAnswer | undefined)[], wanted: (state: SessionState) => boolean): number {
    const find = (is: (state: SessionState) => boolean) =>
      answers.findIndex((answer) => answer?.status === 'fulfilled' && is(answer.value));
    const best = find(wanted);
    return best < 0 && this.#target === 'prefer-standby' ? find(suits.any) : best;
  }

  /** If no host answers, it is an outage like that of a single host. */
  #failure(answers: readonly HostAnswer[]): unknown {
    const reasons = answers.map((answer, at) => {
      const host = this.#hosts[at]!;
      return answer.status === 'fulfilled' ? describe(host, answer.value) : `${nameOf(host)}: ${answer.reason.message}`;
    });
    const first = answers[0] as PromiseRejectedResult;
    return answers.every(({ status }) => status === 'rejected') ? first.reason : this.#misfit(reasons);
  }

  #misfit(reasons: readonly string[]): Unfit {
    return new Unfit(`no host suits target_session_attrs=${this.#target}: ${reasons.join(', ')}`, noPrimary);
  }
}

export function nameOf({ host, port }: Host): string {
  return `${host.includes(':') ? `[${host}]` : host}${port === '' ? '' : `:${port}`}`;
}

function describe(host: Host, { isStandby, isReadOnly }: SessionState): string {
  const kind = isStandby ? 'is a standby' : isReadOnly ? 'is read-only' : 'is a primary';
  return `${nameOf(host)} ${kind}`;
}
