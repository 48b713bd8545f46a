import type { Static, TObject, TSchema } from 'typebox';
import type { Write } from '../base/commit/index.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import type { EventDraft } from '../outbox/event.ts';
import type { Scope } from './api_keys/scopes.ts';

/** What an operation is given. It reads, decides and returns what to write; it writes nothing itself. */
export type Context = {
  tenant: Tenant;
  requestId: string;
  /** The id in the path; empty where the route has none. */
  id: string;
  /** Epoch milliseconds. */
  now: number;
  reads: Reads;
};

export type Outcome = {
  result: object;
  /** What the request log files this request under. */
  objectId?: string;
  writes?: Write[];
  events?: EventDraft[];
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
  /** Body parameters of POST and DELETE, query parameters of GET. */
  input: Schema;
  nulls: Nulls;
  output: TSchema;
  run(context: Context, input: Input<Schema, Nulls>): Promise<Outcome>;
};

export type AnyOperation = Omit<Operation, 'run'> & { run(context: Context, input: never): Promise<Outcome> };

export function operation<Schema extends TObject, Nulls extends NullRule>(
  definition: Operation<Schema, Nulls>,
): AnyOperation {
  return definition as unknown as AnyOperation;
}
