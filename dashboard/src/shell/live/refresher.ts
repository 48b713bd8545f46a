import type { Query, QueryClient } from '@tanstack/react-query';
import { type Change, ResponseError } from '@tollgate/node';
import { isConcerned } from './concern.ts';

/** Changes that follow each other closely are read together. */
const gatherMs = 100;
/** A page that is busy with reading rests, so that it never takes more than a quarter of the time. */
const restTimes = 3;
const restMinMs = 1_000;
/** So many changes at once concern about everything. */
const changesMax = 300;

/** Reads again what changes concern, of one account and mode. What is shown stays until its successor is there. */
export class Refresher {
  readonly #queries: QueryClient;
  readonly #workspace: readonly [account: string, mode: string];
  #changes: Change[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restsUntil = 0;
  #isClosed = false;

  constructor(queries: QueryClient, workspace: readonly [account: string, mode: string]) {
    this.#queries = queries;
    this.#workspace = workspace;
  }

  add(change: Change): void {
    this.#changes.push(change);
    if (this.#timer !== undefined || this.#isClosed) return;
    const waitMs = Math.max(gatherMs, this.#restsUntil - performance.now());
    this.#timer = setTimeout(() => void this.#readAgain(), waitMs);
  }

  /** Everything that was read, or asked for, before now. What is under way ends first, so that no page has to begin twice. */
  async all(): Promise<void> {
    const before = new Set(this.#queries.getQueryCache().findAll({ queryKey: this.#workspace }));
    await this.#idle();
    if (!this.#isClosed) await this.#invalidate((query) => before.has(query));
  }

  /** What could not be read while the gateway could not be reached. */
  async failed(): Promise<void> {
    await this.#invalidate(({ state }) => state.error !== null);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #readAgain(): Promise<void> {
    const [changes, began] = [this.#changes, performance.now()];
    this.#changes = [];
    const isMany = changes.length > changesMax || changes.some(({ type }) => type === 'reload');
    await this.#invalidate(
      ({ queryKey }) => isMany || changes.some((change) => isConcerned(queryKey.slice(this.#workspace.length), change)),
    );
    const ended = performance.now();
    this.#restsUntil = ended + Math.max(restMinMs, (ended - began) * restTimes);
    this.#timer = undefined;
    const next = this.#changes.pop();
    if (next !== undefined) this.add(next);
  }

  /** A tab that nobody sees reads when somebody does: what is stale is read then. */
  #invalidate(predicate: (query: Query) => boolean): Promise<void> {
    const refetchType = document.hidden ? 'none' : 'active';
    const isWanted = (query: Query) => predicate(query) && !isRefused(query);
    return this.#queries.invalidateQueries({ queryKey: this.#workspace, predicate: isWanted, refetchType });
  }

  #idle(): Promise<void> {
    const isIdle = () => this.#queries.isFetching({ queryKey: this.#workspace }) === 0;
    if (isIdle()) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = this.#queries.getQueryCache().subscribe(() => {
        if (!isIdle() && !this.#isClosed) return;
        leave();
        resolve();
      });
    });
  }
}

/** A request that was refused as it is written would be refused again. */
function isRefused({ state: { error } }: Query): boolean {
  return error instanceof ResponseError && error.status === 400;
}
