import type { Unit, Write } from '../base/commit/index.ts';
import { ApiError, assert, Busy, Unavailable } from '../base/errors.ts';
import { KeyedQueue } from '../base/keyed_queue.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import { pause } from '../base/timers.ts';
import { eventWrites, happenedAt } from '../outbox/event.ts';
import { type Caller, installation, readOwnerOf } from './caller.ts';
import { refuseColumns } from './csv.ts';
import { admitCustomer } from './customer_access.ts';
import { apiError } from './errors.ts';
import { type Expansions, ownParameters } from './expand.ts';
import type { Live } from './feed.ts';
import { Numbers } from './numbers.ts';
import type {
  AnyOperation,
  ClockTime,
  Context,
  FileAnswer,
  Outcome,
  RemoteCall,
  Sequenced,
  Streaming,
} from './operation.ts';
import type { OperationServices, Services } from './services.ts';

/** A call of an operation, by a request, a job or a command. */
export type Call = {
  operation: AnyOperation;
  caller: Caller;
  /** The object in the path; empty where the route has none. */
  id: string;
  parameters: Record<string, unknown>;
  /** Null when no request is behind it. */
  requestId: string | null;
  /** Set by the work of an advance: the test clock, and the moment it has come to. */
  clock?: ClockTime | undefined;
  /** The media type of the answer, when it is not JSON. */
  media?: string | undefined;
  /** Whether the deadline of the answer has passed. */
  isLate?: (() => boolean) | undefined;
  /** Its entry in the audit log was committed with its attempt. */
  isAudited?: boolean;
};

/**
 * What makes a call take effect once, however often it is made. A request has its idempotency key or its signature; a job has the row
 * that it works on.
 */
export type Once<Stored> = {
  /** Rows that are committed with the decision. If they conflict, nothing is committed. */
  claim(decided: Outcome | RemoteCall): Write[];
  /** Rows that are committed with the answer of the processor. */
  finish(outcome: Outcome): Write[];
  /**
   * What an earlier call has stored: its answer, or the id by which it can be resumed. Undefined: nothing, so it is decided again.
   * Throws when this call must not continue.
   */
  stored(): Promise<Stored | Unfinished | undefined>;
};

/** The tenant at whose place a call is committed; the installation, which has none, for a change in the directory. */
export function homeOf({ operation, caller }: Pick<Call, 'operation' | 'caller'>): Tenant {
  return operation.home === 'directory' ? installation : caller.tenant;
}

/** A call that has committed its attempt, but not its answer. */
export type Unfinished = { unfinished: string };

/** What resources contribute to every change. */
export type ExecutorHooks = {
  /** Entries of the audit log, committed with what was decided. */
  auditWrites(
    call: Call,
    decided: Pick<Outcome, 'writes' | 'tenant' | 'objectId' | 'audit'>,
    now: number,
  ): Write<'both'>[];
  /** The test clock whose time these writes depend on, if they do. */
  heldClock(writes: readonly Write[]): ClockTime | undefined;
  /** What callers can ask for beside the ids of an answer. */
  expansions: Expansions;
  /** The prefixes of objects whose rows are changed by calls on other objects too, the narrowest first. */
  sharedPrefixes: readonly string[];
};

export type ExecutorServices = OperationServices & Pick<Services, 'clock' | 'committer' | 'onDue'>;

const decisionsMax = 3;
const waitMaxMs = 20_000; // how long a call waits for another one that has the object, or the idempotency key
const firstPauseMs = 50;
const pauseMaxMs = 1_000;

/**
 * The one way from checked parameters to a committed outcome. When a remote processor has to be asked, the attempt is committed, then
 * the processor is asked with no transaction open, and then its answer is committed.
 */
export class Executor {
  readonly #services: ExecutorServices;
  readonly #hooks: ExecutorHooks;
  readonly #order: LockOrder;
  readonly #rows = new KeyedQueue();
  readonly #numbers: Numbers;

  constructor(services: ExecutorServices, hooks: ExecutorHooks) {
    this.#services = services;
    this.#hooks = hooks;
    this.#order = new LockOrder(hooks.sharedPrefixes);
    this.#numbers = new Numbers(services);
  }

  /** Runs an operation that changes nothing. Refusals are thrown. */
  async read(call: Call): Promise<Outcome | Streaming | Live | FileAnswer> {
    const expansion = this.#hooks.expansions.of(call);
    if (call.media === undefined) refuseColumns(call.parameters);
    const context = { ...this.#context(call), references: this.#hooks.expansions };
    const outcome = (await run(call, context)) as Outcome | Streaming | Live | FileAnswer;
    return expansion === undefined ? outcome : expansion.expand(context, outcome as Outcome);
  }

  /** Decides and commits. A refusal that follows from stored state is an outcome like any other. */
  change<Stored extends object>(call: Call, once: Once<Stored>): Promise<Outcome | Stored> {
    const { callers, name } = call.operation;
    assert(callers.includes(call.caller.kind), `${name} does not serve a ${call.caller.kind}`);
    this.#hooks.expansions.of(call); // refuses what the caller may not see, before anything happens
    const also = call.operation.alsoChanges?.(call.parameters as never);
    const ids = [...new Set([call.id, also ?? ''])].filter((id) => id !== '').sort(this.#order.compare);
    return this.#holding(call.caller.tenant, ids, () => this.#change(call, once, ids));
  }

  /** Changes to one object are queued in memory, so that a client that hammers it does not cause conflicts in the batches of all. */
  async #holding<T>(tenant: Tenant, ids: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...rest] = ids;
    if (first === undefined) return work();
    const release = await this.#rows.acquire(`${tenant}/${first}`, waitMaxMs);
    if (release === undefined) throw lockTimeout();
    try {
      return await this.#holding(tenant, rest, work);
    } finally {
      release();
    }
  }

  async #change<Stored extends object>(
    call: Call,
    once: Once<Stored>,
    queued: readonly string[],
  ): Promise<Outcome | Stored> {
    const decided = await this.#claim(call, once, queued);
    return 'remoteCall' in decided ? this.#ask(call, once, decided.remoteCall) : decided.answer;
  }

  /**
   * On a conflict, finds the earlier outcome or decides again on what is stored now. Calls on different objects may change the same row,
   * such as their test clock or the credit of their customer. After such a conflict, the call queues for that
   * row as well, until it has committed. `queued`: the rows that it has queued for so far.
   */
  async #claim<Stored extends object>(
    call: Call,
    once: Once<Stored>,
    queued: readonly string[],
  ): Promise<{ remoteCall: RemoteCall } | { answer: Outcome | Stored }> {
    const { tenant } = call.caller;
    const queueFor = (rows: string[]) =>
      this.#holding(tenant, rows, () => this.#claim(call, once, [...queued, ...rows]));
    for (let decisions = 1; decisions <= decisionsMax; decisions++) {
      const decided = await this.#decide(call, once);
      // A call does not overtake others that queue for the same rows: they could lose every time.
      const taken = decided === 'claimed' ? [] : this.#taken(tenant, queued, writesOf(decided));
      if (taken.length > 0) return queueFor(taken);
      const tried = decided === 'claimed' ? undefined : await this.#commitDecided(call, once, decided);
      if (tried?.held) return 'ask' in tried.final ? { remoteCall: tried.final } : { answer: tried.final };
      const contended = this.#order.widerThan(queued, tried?.final.writes ?? []);
      const earlier = await this.#earlier(call, once);
      if (earlier !== undefined) return { answer: earlier };
      if (contended.length > 0) return queueFor(contended);
    }
    throw lockTimeout();
  }

  /** Rarely any: what others queue for is worked out only when a row that is updated has a queue at all. */
  #taken(tenant: Tenant, queued: readonly string[], writes: readonly Write[]): string[] {
    const isTaken = (id: unknown) => this.#rows.isTaken(`${tenant}/${id}`);
    if (!writes.some(({ kind, row }) => kind === 'update' && isTaken(idIn(row)))) return [];
    return this.#order.widerThan(queued, writes).filter(isTaken);
  }

  /** Commits a decision, together with what makes the call take effect once. Returns whether it was committed, and what was to be written. */
  async #commitDecided(call: Call, once: Once<object>, decided: Outcome | RemoteCall | Sequenced) {
    return this.#commitNumbered(call, decided, (final) => [
      ...('ask' in final
        ? [...final.writes, ...this.#hooks.auditWrites(call, final, this.#services.clock.now())]
        : this.#writesOf(call, final)),
      ...once.claim(final),
    ]);
  }

  /** Commits a decision. If it is numbered, it gets its number in the commit. */
  async #commitNumbered(
    call: Call,
    unexpanded: Outcome | RemoteCall | Sequenced,
    writesOf: (final: Outcome | RemoteCall) => Write[],
  ): Promise<{ final: Outcome | RemoteCall; held: boolean }> {
    const { tenant } = call.caller;
    const expansion = this.#hooks.expansions.of(call);
    const decided =
      expansion === undefined ? unexpanded : await expansion.expand({ reads: this.#readsOf(call), tenant }, unexpanded);
    if (!('sequence' in decided)) return { final: decided, held: await this.#commit(call, writesOf(decided), decided) };
    let final: Outcome | RemoteCall | undefined;
    const verdict = await this.#numbers.commit(tenant, decided.sequence, (number) => {
      final = decided.numbered(number);
      return writesOf(final);
    });
    assert(final, 'a decision was numbered before it was committed');
    const held = verdict === 'committed';
    if (held && final.due !== undefined) this.#services.onDue(final.due);
    return { final, held };
  }

  /** Asks the processor with no transaction open: the attempt is committed before, its outcome after. */
  async #ask<Stored extends object>(call: Call, once: Once<Stored>, remoteCall: RemoteCall): Promise<Outcome | Stored> {
    const decide = await remoteCall.ask();
    // The processor has answered. The answer has to be committed, whatever happens to the rows meanwhile.
    const answered = await this.#retry(async () => {
      const decided = await decide();
      if ('ask' in decided)
        return (await this.#commit(call, decided.writes, decided)) ? { another: decided } : undefined;
      const answer = await this.#finish(call, once, decided);
      return answer && { answer };
    }, unwritten);
    return 'another' in answered ? this.#ask(call, once, answered.another) : answered.answer;
  }

  /** Commits the outcome together with the answer; undefined after a conflict. */
  async #finish<Stored extends object>(call: Call, once: Once<Stored>, decided: Outcome | Sequenced) {
    const outcome = await this.#commitAnswer(call, decided, (final) => once.finish(final));
    if (outcome !== undefined) return outcome;
    const stored = await once.stored();
    if (stored === undefined || 'unfinished' in stored) return undefined;
    // A retry has been answered already. Its answer stands, and the outcome is committed without one.
    return (await this.#commitAnswer(call, decided, () => [])) && stored;
  }

  /** Commits what was decided after a processor was asked; undefined after a conflict. */
  async #commitAnswer(
    call: Call,
    decided: Outcome | Sequenced,
    finish: (outcome: Outcome) => Write[],
  ): Promise<Outcome | undefined> {
    const { final, held } = await this.#commitNumbered(call, decided, (outcome) => {
      assert(!('ask' in outcome), 'an answer has come, so no processor is asked');
      return [...this.#writesOf({ ...call, isAudited: true }, outcome), ...finish(outcome)];
    });
    return held ? (final as Outcome) : undefined;
  }

  /** The outcome that an earlier call has stored, or with which it is resumed; undefined when there is none. */
  async #earlier<Stored extends object>(call: Call, once: Once<Stored>): Promise<Outcome | Stored | undefined> {
    const find = async () => {
      const found = await once.stored();
      if (found === undefined) return 'none';
      return 'unfinished' in found ? this.#resume(call, once, found.unfinished) : found;
    };
    const found = await this.#retry<Outcome | Stored | 'none'>(find, stillRunning);
    return found === 'none' ? undefined : found;
  }

  /** Finishes an earlier call, unless it may still be in flight. */
  async #resume(call: Call, once: Once<object>, resumeBy: string): Promise<Outcome | undefined> {
    const own = ownParameters(call.parameters) as never;
    const decided = await call.operation.resume?.(this.#context(call), resumeBy, own);
    return decided && this.#commitAnswer(call, decided, (outcome) => once.finish(outcome));
  }

  async #commit(
    { operation, caller }: Call,
    writes: Write[],
    { due, tenant = caller.tenant }: Pick<Outcome, 'due' | 'tenant'>,
  ): Promise<boolean> {
    if (writes.length === 0) return true;
    // The compiler has checked, in `operation`, that they are writes to its home.
    const unit = operation.home === 'directory' ? ({ writes } as Unit) : { tenant, writes };
    const held = (await this.#services.committer.commit(unit)) === 'committed';
    if (held && due !== undefined) this.#services.onDue(due);
    return held;
  }

  /**
   * Waits while another call has the object at a processor. When that is an earlier call with the same key, there is nothing to decide:
   * its outcome is the outcome of this one too.
   */
  #decide(call: Call, once: Once<object>): Promise<Outcome | RemoteCall | Sequenced | 'claimed'> {
    return this.#retry(async () => {
      try {
        return (await run(call, this.#context(call))) as Outcome | RemoteCall | Sequenced;
      } catch (error) {
        if (error instanceof Busy) return (await once.stored()) === undefined ? undefined : 'claimed';
        if (error instanceof ApiError && error.status !== 429) return { result: {}, error };
        // A processor that is asked before the decision does not answer: a retry still gets the answer of the first call.
        if (error instanceof Unavailable && (await once.stored()) !== undefined) return 'claimed';
        throw error;
      }
    }, lockTimeout);
  }

  /** Tries with growing pauses until there is a result; after 20 s it gives up. */
  async #retry<T>(attempt: () => Promise<T | undefined>, givenUp: () => Error): Promise<T> {
    for (let waited = 0, gap = firstPauseMs; waited < waitMaxMs; waited += gap, gap = Math.min(gap * 1.5, pauseMaxMs)) {
      const result = await attempt();
      if (result !== undefined) return result;
      await pause(gap);
    }
    throw givenUp();
  }

  /** Events of a change by a test clock carry the time of that clock. */
  #writesOf(call: Call, outcome: Outcome): Write[] {
    const { caller, requestId, clock } = call;
    const { writes = [], events = [] } = outcome;
    const now = this.#services.clock.now();
    const audited = this.#hooks.auditWrites(call, outcome, now);
    if (events.length + audited.length === 0) return writes;
    const time = clock ?? this.#hooks.heldClock(writes);
    return [...writes, ...eventWrites(caller.tenant, requestId, now, happenedAt(time?.now, events)), ...audited];
  }

  #readsOf({ caller }: Call): Reads {
    return this.#services.reads.of(readOwnerOf(caller));
  }

  #context(call: Call): Context {
    const { caller, id, requestId, media, isLate, clock: testClock } = call;
    const { tenant, mode } = caller;
    const reads = this.#readsOf(call);
    const now = this.#services.clock.now();
    return { ...this.#services, caller, tenant, mode, id, requestId, media, isLate, now, clock: testClock, reads };
  }
}

async function run({ operation, parameters }: Call, context: Context) {
  const isCustomers = context.caller.kind === 'customer';
  const own = isCustomers ? await admitCustomer(context, operation, parameters) : ownParameters(parameters);
  return operation.run(context, own as never);
}

/** What a decision is to write, as far as that is known before it has its number. */
function writesOf(decided: Outcome | RemoteCall | Sequenced): readonly Write[] {
  return 'sequence' in decided ? [] : (decided.writes ?? []);
}

/** The members of an account are counted in a row of the account. */
const idIn = (row: Write['row']) => String(row.id ?? row.account);

/** The order in which every call queues for rows, so that no two wait for each other. */
class LockOrder {
  readonly #prefixes: readonly string[];

  constructor(prefixes: readonly string[]) {
    this.#prefixes = prefixes;
  }

  compare = (one: string, other: string): number => this.#widthOf(one) - this.#widthOf(other) || (one < other ? -1 : 1);

  /** The stored rows among these that calls on other objects change too: only those that are wider than what it has queued for. */
  widerThan(queued: readonly string[], writes: readonly Write[]): string[] {
    const width = Math.max(-1, ...queued.map((id) => this.#widthOf(id)));
    const stored = writes.filter(({ kind }) => kind === 'update').map(({ row }) => idIn(row));
    const wider = [...new Set(stored)].filter((id) => this.#widthOf(id) > width);
    return wider.sort(this.compare);
  }

  #widthOf(id: string): number {
    return this.#prefixes.indexOf(id.split('_', 1)[0]!);
  }
}

/** The processor has acted, or may have: the answer must not say that nothing was done. */
function unwritten(): Unavailable {
  return new Unavailable('could not record the answer of a processor');
}

function stillRunning(): ApiError {
  return apiError('idempotency_key_in_use', { param: 'Idempotency-Key', headers: { 'Retry-After': '1' } });
}

function lockTimeout(): ApiError {
  return apiError('lock_timeout', { headers: { 'Retry-After': '1' } });
}
