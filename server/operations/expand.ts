import type { TSchema } from 'typebox';
import type { Table, Write } from '../base/commit/index.ts';
import { assert } from '../base/errors.ts';
import { type Caller, refuseReading } from './caller.ts';
import { apiError } from './errors.ts';
import type { AnyOperation, Context, Outcome, RemoteCall, Sequenced } from './operation.ts';
import { type ReferencePath, referencesIn } from './references.ts';
import type { Scope } from './scope.ts';

/** What is for an operation itself: not what its answer is expanded by. */
export function ownParameters(parameters: Record<string, unknown>): Record<string, unknown> {
  if (!('expand' in parameters)) return parameters;
  const { expand: _, ...own } = parameters;
  return own;
}

/** A kind of object that others refer to. */
export type Expandable = {
  resource: string;
  prefix: string;
  /** What a key needs to read it. */
  scope: Scope;
  table: Pick<Table, 'name'>;
  output: TSchema;
  /** The object that is shown of a row; undefined where it was deleted. */
  show(row: object): object | undefined;
  /** The object as a request for it would be answered; undefined where it is missing. */
  find(context: Reading, id: string): Promise<object | undefined>;
};

export type Reading = Pick<Context, 'reads' | 'tenant'>;
/** What of a call says what is expanded. */
type Asking = {
  operation: AnyOperation;
  caller: Caller;
  parameters: Readonly<Record<string, unknown>>;
  media?: string | undefined;
};
type ShownObject = Readonly<Record<string, unknown>>;

/** The kinds of objects that others refer to, and the paths that calls ask for. */
export class Expansions {
  readonly #byResource: ReadonlyMap<string, Expandable>;
  readonly #byPrefix: ReadonlyMap<string, Expandable>;

  constructor(kinds: readonly Expandable[]) {
    this.#byResource = new Map(kinds.map((kind) => [kind.resource, kind]));
    this.#byPrefix = new Map(kinds.map((kind) => [kind.prefix, kind]));
  }

  kindOf(resource: string): Expandable {
    const kind = this.#byResource.get(resource);
    assert(kind, `${resource} is a kind of object that others refer to`);
    return kind;
  }

  /** Where a path leads: the resources that the object can be of. */
  targetsOf({ to, then }: ReferencePath): readonly string[] {
    if (then === undefined) return to;
    return [...new Set(to.flatMap((resource) => this.#through(resource, then)))];
  }

  #through(resource: string, member: string): readonly string[] {
    const reference = referencesIn(this.kindOf(resource).output).find(({ path }) => path === member);
    assert(reference, `${resource} has the reference ${member}`);
    return reference.to;
  }

  /** What a call asks for; undefined where it asks for nothing. Refuses what the caller may not read. */
  of({ operation, parameters, caller, media }: Asking): Expansion | undefined {
    const { expand } = parameters as { expand?: readonly string[] | null };
    if (expand == null || expand.length === 0) return undefined;
    if (media !== undefined)
      throw apiError('parameter_invalid', { param: 'expand', reason: `${media} has ids, and no other objects` });
    const paths = referencesIn(operation.output).filter(({ path }) => expand.includes(path));
    const resources = paths.flatMap((path) => [...path.to, ...this.targetsOf(path)]);
    const scopes = [...new Set(resources.map((resource) => this.kindOf(resource).scope))];
    for (const scope of scopes) refuseReading(caller, scope);
    return new Expansion(this, paths, scopes);
  }

  /** The kind of an object, by its id. */
  kindById(id: string): Expandable | undefined {
    return this.#byPrefix.get(id.slice(0, id.lastIndexOf('_')));
  }
}

/**
 * The paths of one call. Objects that the call itself writes are shown as it writes them: the answer is committed with them, so it cannot
 * wait until they can be read.
 */
export class Expansion {
  readonly #kinds: Expansions;
  readonly #paths: readonly ReferencePath[];
  readonly #scopes: readonly Scope[];

  constructor(kinds: Expansions, paths: readonly ReferencePath[], scopes: readonly Scope[]) {
    this.#kinds = kinds;
    this.#paths = paths;
    this.#scopes = scopes;
  }

  /** The outcome with the objects beside its ids. A refusal shows none. */
  async expand<Decided extends Outcome | RemoteCall | Sequenced>(context: Reading, decided: Decided): Promise<Decided> {
    if (!('sequence' in decided)) return this.#attached(decided, await this.#read(context, decided)) as Decided;
    // Ids do not depend on the number, which is known only in the commit. Nothing can be read there.
    const stored = await this.#read(context, decided.numbered(1));
    const numbered = (number: number) => this.#attached(decided.numbered(number), stored);
    return { ...decided, numbered };
  }

  /** The objects that are asked for and are not written by the call, by their ids. */
  async #read(context: Reading, decided: Outcome | RemoteCall): Promise<ReadonlyMap<string, ShownObject>> {
    const stored = new Map<string, ShownObject>();
    if (!isShown(decided)) return stored;
    const find = this.#finder(decided.writes, stored);
    const read = async (ids: readonly (string | undefined)[]) => {
      const wanted = [...new Set(ids)].filter((id) => id !== undefined && find(id) === undefined);
      // In one turn, so that each kind is read in one statement.
      await Promise.all(
        wanted.map(async (id) => {
          const shown = await this.#kinds.kindById(id!)?.find(context, id!);
          if (shown !== undefined) stored.set(id!, shown as ShownObject);
        }),
      );
    };
    const objects = objectsOf(decided.result);
    await read(objects.flatMap((object) => this.#paths.map(({ member }) => idIn(object, member))));
    const further = this.#paths.filter(({ then }) => then !== undefined);
    await read(objects.flatMap((object) => further.map((path) => idThrough(object, path, find))));
    return stored;
  }

  #attached(decided: Outcome | RemoteCall, stored: ReadonlyMap<string, ShownObject>): Outcome | RemoteCall {
    if (!isShown(decided)) return decided;
    const find = this.#finder(decided.writes, stored);
    const attach = (object: ShownObject) => ({ ...object, expanded: this.#expanded(object, find) });
    const { result } = decided;
    const objects = objectsOf(result).map(attach);
    return { ...decided, result: isList(result) ? { ...result, data: objects } : objects[0]!, scopes: this.#scopes };
  }

  /** By path. What is gone is left out. */
  #expanded(object: ShownObject, find: FindShown): ShownObject {
    const entries = this.#paths.map((path) => {
      const id = path.then === undefined ? idIn(object, path.member) : idThrough(object, path, find);
      return [path.path, id === undefined ? undefined : find(id)];
    });
    return Object.fromEntries(entries.filter(([, shown]) => shown !== undefined));
  }

  /** Finds what the call writes, then what was read. */
  #finder(writes: readonly Write[] = [], stored: ReadonlyMap<string, ShownObject>): FindShown {
    return (id) => {
      const kind = this.#kinds.kindById(id);
      const written = writes.findLast(({ table, row }) => table.name === kind?.table.name && row.id === id);
      if (written === undefined) return stored.get(id);
      return written.kind === 'delete' || written.kind === 'discard'
        ? undefined
        : (kind!.show(written.row) as ShownObject);
    };
  }
}

type FindShown = (id: string) => ShownObject | undefined;

const isShown = (decided: Outcome | RemoteCall): decided is Outcome => 'result' in decided && !decided.error;

const isList = (result: object): result is { data: ShownObject[] } => (result as ShownObject).object === 'list';

const objectsOf = (result: object): readonly ShownObject[] => (isList(result) ? result.data : [result as ShownObject]);

function idIn(object: ShownObject | undefined, member: string): string | undefined {
  const id = object?.[member];
  return typeof id === 'string' ? id : undefined;
}

function idThrough(object: ShownObject, { member, then }: ReferencePath, find: FindShown): string | undefined {
  const id = idIn(object, member);
  return id === undefined ? undefined : idIn(find(id), then!);
}
