import type { Static, TObject, TSchema } from 'typebox';
import type { Write } from '../base/commit/index.ts';
import type { ApiError } from '../base/errors.ts';
import type { Id } from '../base/id.ts';
import type { Mode, Tenant } from '../base/reads.ts';
import type { Secret } from '../base/secret.ts';
import type { EventDraft } from '../outbox/event.ts';
import type { Caller, CallerKind } from './caller.ts';
import type { Live } from './feed.ts';
import type { PortalSettings } from './portal_settings.ts';
import { ExpandParameter } from './references.ts';
import { type Right, rightToRead } from './role.ts';
import { ColumnsParameter, csvMedia, Parameters } from './schemas.ts';
import type { Scope } from './scope.ts';
import type { OperationServices } from './services.ts';

/** Where what an operation changes is: at the place of its caller's tenant, or in the directory. */
export type OperationHome = 'tenant' | 'directory';

/** The rows and events of a change to one object. */
export type Part = { writes: Write[]; events: EventDraft[] };

/** An entry that an operation adds to the audit log. */
export type AuditEntry = {
  /** `<noun>.<what happened>`, such as key.revoked. */
  action: string;
  /** The accounts that it concerns: the caller's when not given, and for what a person does for itself all accounts that it works in. */
  accounts?: readonly string[];
  /** The id of the object that was changed. */
  subject: string;
  details: object;
  /** Who a visitor turned out to be. */
  user?: string;
  actor?: string;
};

/** Where a test clock is: epoch milliseconds. */
export type ClockTime = { id: Id<'clock'>; now: number };

/** What an operation is given. It reads, decides and returns what to write; it writes nothing itself. */
export type Context = OperationServices & {
  caller: Caller;
  tenant: Tenant;
  mode: Mode;
  /** Null when no request is behind it. */
  requestId: string | null;
  /** The id in the path; empty where the route has none. */
  id: string;
  /** Epoch milliseconds. */
  now: number;
  /** Set in the work of an advance: the test clock, and the moment it has come to. */
  clock?: ClockTime | undefined;
  /** The media type that the caller asks for, of those that the operation offers beside JSON; undefined for JSON. */
  media?: string | undefined;
  /** Whether the caller was answered at the deadline. Work that only reads may end then. Undefined where there is no deadline. */
  isLate?: (() => boolean) | undefined;
  /** In a read. */
  references?: References | undefined;
};

/** The kinds of objects that others refer to. */
export type References = {
  kindOf(resource: string): { scope: Scope; output: TSchema };
  /** Undefined for an id of an object that nothing refers to. */
  kindById(
    id: string,
  ): { find(context: Pick<Context, 'reads' | 'tenant'>, id: string): Promise<object | undefined> } | undefined;
};

export type Outcome<In extends OperationHome = 'tenant'> = {
  result: object;
  /** Set when the answer is a refusal although there are rows to write: a declined payment is stored, and answered 402. */
  error?: ApiError;
  /** The object that the request log files the request under. */
  objectId?: string;
  writes?: Write<In | 'both'>[];
  /** Whose rows are written, if they are not those of the caller: an operator can act for no account. */
  tenant?: In extends 'tenant' ? Tenant : never;
  events?: In extends 'tenant' ? EventDraft[] : never;
  /** For the audit log, which records what people change; what keys do is in the request log. */
  audit?: readonly AuditEntry[];
  /** When a job becomes due for it, epoch milliseconds. */
  due?: number;
  /** The scopes that the answer needed, of an operation that shows objects of any kind. */
  scopes?: readonly Scope[];
  /** The token of the session that begins with this answer, for the cookie; null: the caller's session has ended. */
  session?: Secret | null;
};

export type DirectoryOutcome = Outcome<'directory'>;

/**
 * A long answer in a media type that the operation offers beside JSON. The next chunk is read when the client has taken those before it,
 * with no transaction open in between. An error before the first chunk is answered as usual; after it, the connection is closed.
 */
export type Streaming = { stream: AsyncGenerator<string, void> };

/** An answer that is a file, and no JSON. The request log keeps none of its bytes. */
export type FileAnswer = { file: { name: string; bytes: Buffer }; objectId: string };

/**
 * An operation that asks a remote processor. `writes` are committed, then `ask` is called with no transaction open. The function that it
 * returns decides on the outcome, or that another processor is asked; after a conflict it is called again, and decides on the rows that are
 * stored by then.
 */
export type RemoteCall = {
  objectId: string;
  /** The id by which `resume` finds the attempt, if this process dies before it answers. */
  resumeBy: string;
  writes: Write[];
  due: number;
  ask(): Promise<() => Promise<Outcome | RemoteCall | Sequenced>>;
};

/**
 * A decision that gets the next number of a sequence of the tenant in the commit that writes it, so that there are no gaps. `numbered` may
 * be called again with another number; it must not wait for anything.
 */
export type Sequenced = { sequence: string; numbered(number: number): Outcome | RemoteCall };

/** With `nulls: 'clear'` every optional parameter may come as null, nested ones too. */
export type Input<Schema extends TObject, Nulls extends NullRule> = Nulls extends 'clear'
  ? Clearable<Static<Schema>>
  : Static<Schema>;
type Clearable<Value> = Value extends unknown[] | Secret<unknown>
  ? Value
  : { [Name in keyof Value]: Clearable<Value[Name]> | null };

/** What a JSON null or an empty string means: not sent (create), or remove what is there (update). */
export type NullRule = 'absent' | 'clear';

/** A kind of object that belongs to customers. */
export type Belonging = {
  noun: string;
  find(context: Pick<Context, 'reads' | 'tenant' | 'id'>, id: string): Promise<object | undefined>;
  /** The column of its row that names the customer. */
  column: string;
  /** Whether customers know nothing of a row of theirs, such as a draft. */
  isHidden?(row: never): boolean;
};

/** What a caller sends, by the names of parameters. */
export type SentValues = Readonly<Record<string, unknown>>;

/** What a customer who has signed in to the portal may do by an operation. `customer_access.ts` refuses everything else. */
export type CustomerAccess = {
  /** The object that the call is about: its id is in the path, or in the parameter of this name. */
  about?: Belonging & { parameter?: string };
  /** The parameter that names the customer, of an operation that is about no object of its own. */
  customer?: string;
  /** What it may send beside them; all else is unknown to it. */
  parameters?: readonly string[];
  /** Of these parameters, those that name objects of its own. */
  refersTo?: Readonly<Record<string, Belonging>>;
  /** What every call of a customer has. */
  fixed?: SentValues;
  /** Whether the settings of the account allow it. Reading is always allowed. */
  allows?(settings: PortalSettings, input: SentValues, row: never): boolean;
};

type Method = 'GET' | 'POST' | 'DELETE';

type DecidedIn<In extends OperationHome> = Outcome<In> | (In extends 'tenant' ? RemoteCall | Sequenced : never);

/** A verb of the API: its route, scope, validation, documentation, and name in logs. */
export type Operation<
  Schema extends TObject = TObject,
  Nulls extends NullRule = NullRule,
  In extends OperationHome = 'tenant',
> = {
  /** `<resource>.<verb>`: the SDK's method, the log's and the metrics' name. */
  name: string;
  summary: string;
  /** One commit is of the directory or of one tenant, never of both. */
  home: OperationHome;
  /** Further sentences for the reference. */
  description?: string;
  method: Method;
  /** Below the version prefix, `:id` for the object. */
  route: string;
  scope: Scope;
  /** Who may call it. Persons may call what keys may: the dashboard can do what the API can do. */
  callers: readonly CallerKind[];
  /** Where customers are among them: what is theirs. */
  customers?: CustomerAccess;
  /** What the role of a person must permit. */
  right: Right;
  /** A right that is enough for a request with exactly these parameters. */
  lesser?: { right: Right; parameters: Readonly<Record<string, unknown>> };
  /** Of a person alone, whatever account it works in: a request needs no header that names the account and the mode. */
  isPersonal: boolean;
  /** An Idempotency-Key is ignored. */
  ignoresKey?: boolean;
  /** In live mode API keys are refused, and this command of the operator does it instead. */
  operatorInLive?: string;
  /** Body parameters of POST and DELETE, query parameters of GET. */
  input: Schema;
  nulls: Nulls;
  output: TSchema;
  /** The codes of its own refusals; those that follow from its route, method and parameters are left out. */
  errors?: readonly string[];
  /** Text media types that a read offers beside JSON. A caller that asks for one with `Accept` gets the stream of `run`. */
  offers?: readonly string[];
  /** The media type of its answer, where that is a file. `output` describes the file. */
  file?: string;
  /** The columns of its CSV that are exported if the caller names none, with spaces between. */
  csv?: string;
  /** Further columns that it can have, which are no members of the objects. */
  addedColumns?: readonly string[];
  /** What it shows depends on what else the caller may read, or is a letter to somebody: the request log keeps no copy of the answer. */
  answersByCaller?: boolean;
  /** The answer is a stream of server-sent events that does not end. `output` is the data of one message. */
  isLive?: boolean;
  /** Checks that a schema cannot express and that need no database. Throws a refusal. */
  check?(input: Input<Schema, Nulls>, context: { now: number; mode: Mode }): void;
  /** An object that is changed beside the one in the path. Requests that change the same object are queued. */
  alsoChanges?(input: Input<Schema, Nulls>): string | undefined;
  run(context: Context, input: Input<Schema, Nulls>): Promise<DecidedIn<In> | Streaming | Live | FileAnswer>;
  /**
   * The answer to a retry of a request whose process died, or lost track of it, after the attempt was committed.
   * Undefined while the first request may still be in flight. The parameters are those of the first request.
   */
  resume?(context: Context, resumeBy: string, input: Input<Schema, Nulls>): Promise<Outcome | Sequenced | undefined>;
};

export type AnyOperation = Omit<Operation, 'run' | 'resume' | 'check' | 'alsoChanges'> & {
  resume?(context: Context, resumeBy: string, input: never): Promise<Outcome | Sequenced | undefined>;
  alsoChanges?(input: never): string | undefined;
  check?(input: never, context: { now: number; mode: Mode }): void;
  run(context: Context, input: never): Promise<Outcome | RemoteCall | Sequenced | Streaming | Live | FileAnswer>;
};

/** An operation as it is written down: what follows from the rest can be left out. */
type Definition<Schema extends TObject, Nulls extends NullRule, In extends OperationHome> = Omit<
  Operation<Schema, Nulls, NoInfer<In>>,
  'home' | 'method' | 'route' | 'scope' | 'input' | 'nulls' | 'callers' | 'right' | 'isPersonal'
> & {
  route: `${Method} ${string}`;
  /** The tenant's place when not given. */
  home?: In;
  /** Those with an API key when not given, and always persons where keys are among them. */
  callers?: readonly Exclude<CallerKind, 'customer'>[];
  /** When not given: for GET what reading with the scope takes, changing for all others. */
  right?: Right;
  isPersonal?: boolean;
  /** When not given, that of the resource in the name: reading for GET, writing for all others. */
  scope?: Scope;
  /** No parameters when not given. */
  input?: Schema;
  /** Absent when not given. */
  nulls?: Nulls;
};

export function operation<
  Schema extends TObject = TObject<Record<never, never>>,
  Nulls extends NullRule = 'absent',
  In extends OperationHome = 'tenant',
>(definition: Definition<Schema, Nulls, In>): AnyOperation {
  const [method, route] = definition.route.split(' ') as [Method, string];
  const scope: Scope = `${definition.name.split('.')[0]}:${method === 'GET' ? 'read' : 'write'}`;
  const right: Right = method === 'GET' ? rightToRead(definition.scope ?? scope) : 'change';
  const callers = withCustomers(withPersons(definition.callers ?? ['key']), definition);
  const usual = { home: 'tenant', scope, right, isPersonal: false, nulls: 'absent' };
  const input = withColumns(
    withExpand(definition.input ?? Parameters({}), { ...definition, callers, method }),
    definition,
  );
  const filled = { ...usual, ...definition, callers, method, route, input };
  return filled as unknown as AnyOperation;
}

/** Who asks for an object, or changes one, can ask for what it refers to. */
function withExpand(
  input: TObject,
  { output, callers, method }: Pick<AnyOperation, 'output' | 'callers' | 'method'>,
): TObject {
  const expand = method === 'DELETE' || !callers.includes('person') ? undefined : ExpandParameter(output);
  return expand === undefined ? input : Parameters({ ...input.properties, expand });
}

/** Who exports a list can choose the columns. */
function withColumns(input: TObject, { offers = [] }: Pick<AnyOperation, 'offers'>): TObject {
  return offers.includes(csvMedia) ? Parameters({ ...input.properties, columns: ColumnsParameter }) : input;
}

/** No operation serves a customer without saying what is the customer's own. */
function withCustomers(
  callers: readonly CallerKind[],
  { customers }: Pick<AnyOperation, 'customers'>,
): readonly CallerKind[] {
  return customers === undefined ? callers : [...callers, 'customer'];
}

function withPersons(callers: readonly CallerKind[]): readonly CallerKind[] {
  return callers.includes('key') ? [...callers, 'person'] : callers;
}
