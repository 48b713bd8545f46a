import type { Static, TObject, TSchema } from 'typebox';
import type { Write } from '../base/commit/index.ts';
import type { Refusal } from '../base/errors.ts';
import type { Mode, Tenant } from '../base/reads.ts';
import type { EventDraft } from '../outbox/event.ts';
import type { AuditEntry } from './audit_log/audit.ts';
import type { Caller, CallerKind } from './caller.ts';
import type { Scope } from './scope.ts';
import type { Services } from './services.ts';

/** What a change of one object brings about. */
export type Part = { writes: Write[]; events: EventDraft[] };

/** What an operation is given. It reads, decides and returns what to write; it writes nothing itself. */
export type Context = Pick<Services, 'reads' | 'vault' | 'keyring' | 'connectors' | 'targets' | 'terms'> & {
  caller: Caller;
  tenant: Tenant;
  mode: Mode;
  /** Null when no request is behind it. */
  requestId: string | null;
  /** The id in the path; empty where the route has none. */
  id: string;
  /** Epoch milliseconds. */
  now: number;
  /** What the caller wants the answer to be, of the media types that the operation offers beside JSON; undefined for JSON. */
  media?: string | undefined;
};

export type Outcome = {
  result: object;
  /** When the answer is a refusal although there is something to write: a declined payment is stored, and answered 402. */
  refusal?: Refusal;
  /** What the request log files this request under. */
  objectId?: string;
  writes?: Write[];
  events?: EventDraft[];
  /** For the audit log, which records what people change; what keys do is in the request log. */
  audit?: readonly AuditEntry[];
  /** The result holds a secret: under an idempotency key it is kept sealed. */
  confidential?: boolean;
  /** When a duty has something to do about it, epoch milliseconds. */
  due?: number;
};

/**
 * A long answer in a media type that the operation offers beside JSON. A piece is asked for when the client has taken those before it,
 * with no transaction open in between. What is thrown before the first piece is answered like everything that is thrown; after it, the
 * connection is cut.
 */
export type Streaming = { stream: AsyncGenerator<string, void> };

/**
 * An operation that goes over the network: `writes` are committed, then it asks, with no transaction open. What comes back decides on
 * the answer; after a conflict it is called again and decides on what is stored by then.
 */
export type Asking = {
  objectId: string;
  /** By what `resume` finds it again, should this process not live to answer. */
  resumeBy: string;
  writes: Write[];
  due: number;
  ask(): Promise<() => Promise<Outcome>>;
};

/** With `nulls: 'clear'` every optional parameter may come as null. */
export type Input<Schema extends TObject, Nulls extends NullRule> = Nulls extends 'clear'
  ? { [Name in keyof Static<Schema>]: Static<Schema>[Name] | null }
  : Static<Schema>;

/** What a JSON null or an empty string means: not sent (create), or remove what is there (update). */
export type NullRule = 'absent' | 'clear';

/** The one concept of the house: route, scope, validation, documentation and log name of a thing the API does. */
export type Operation<Schema extends TObject = TObject, Nulls extends NullRule = NullRule> = {
  /** `<resource>.<verb>`: the SDK's method, the log's and the metrics' name. */
  name: string;
  summary: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the version prefix, `:id` for the object. */
  route: string;
  scope: Scope;
  /** Who may call it: those with an API key when not given. */
  callers?: readonly CallerKind[];
  /** Body parameters of POST and DELETE, query parameters of GET. */
  input: Schema;
  nulls: Nulls;
  output: TSchema;
  /** Text media types beside JSON, for reading: who asks for one with `Accept` gets what `run` streams. */
  offers?: readonly string[];
  /** What a schema cannot say and no database is needed for. Throws a refusal. */
  check?(input: Input<Schema, Nulls>, context: { now: number; mode: Mode }): void;
  /** The object that is changed beside the one in the path: requests that do queue for it. */
  alsoChanges?(input: Input<Schema, Nulls>): string | undefined;
  run(context: Context, input: Input<Schema, Nulls>): Promise<Outcome | Asking | Streaming>;
  /**
   * The answer to a request whose process died, or lost sight of it, after it had committed what it was going to ask for.
   * Undefined while the first one may still be under way.
   */
  resume?(context: Context, resumeBy: string): Promise<Outcome | undefined>;
};

export type AnyOperation = Omit<Operation, 'run' | 'check' | 'alsoChanges'> & {
  alsoChanges?(input: never): string | undefined;
  check?(input: never, context: { now: number; mode: Mode }): void;
  run(context: Context, input: never): Promise<Outcome | Asking | Streaming>;
};

export function operation<Schema extends TObject, Nulls extends NullRule>(
  definition: Operation<Schema, Nulls>,
): AnyOperation {
  return definition as unknown as AnyOperation;
}
