import { type Commits, claim, rowName, type Table, table, update, type Write } from '../base/commit/index.ts';
import { Unavailable } from '../base/errors.ts';
import type { Reads, Tenant } from '../base/reads.ts';

/** The last number that a tenant has given in a sequence, such as that of its invoices. */
type Sequence = { tenant: Tenant; id: string; version: number; last: number };

const sequencesTable: Table<Sequence> = table('sequences', {
  int4: 'tenant version',
  text: 'id',
  int8: 'last',
  identity: [], // every instance writes this row: it does not prove who has committed
});

/** The writes of a change, once it has its number. After a conflict it is called again, with another number. */
type Render = (number: number) => Write[];
type SequencedChange = PromiseWithResolvers<'committed' | 'conflict'> & { render: Render; isAlone: boolean };

/** In one commit. Each may come with several events, and an event with a delivery for each of fifty endpoints. */
const groupMax = 32;

/**
 * Numbers without gaps: the number is given in the commit that uses it. Changes of one tenant that wait at the same moment are committed
 * together, with consecutive numbers and one guarded update of the sequence; tenants do not wait for each other.
 */
export class Numbers {
  readonly #reads: Pick<Reads, 'one'>;
  readonly #committer: Commits;
  /** The changes that wait, by tenant and sequence. A queue exists while it is drained. */
  readonly #queues = new Map<string, SequencedChange[]>();

  constructor({ reads, committer }: { reads: Pick<Reads, 'one'>; committer: Commits }) {
    this.#reads = reads;
    this.#committer = committer;
  }

  commit(tenant: Tenant, sequence: string, render: Render): Promise<'committed' | 'conflict'> {
    const change = { ...Promise.withResolvers<'committed' | 'conflict'>(), render, isAlone: false };
    const name = `${tenant}/${sequence}`;
    const queue = this.#queues.get(name);
    if (queue === undefined) void this.#drain(name, [change], () => readSequence(this.#reads, tenant, sequence));
    else queue.push(change);
    return change.promise;
  }

  async #drain(name: string, queue: SequencedChange[], read: () => Promise<Sequence>): Promise<void> {
    this.#queues.set(name, queue);
    while (queue.length > 0)
      await this.#commitNext(queue, read).catch((error) => {
        for (const change of queue.splice(0)) change.reject(error);
      });
    this.#queues.delete(name);
  }

  /**
   * Commits the changes that have gathered by the time the sequence is read. It is read for each group: an instance that went on from the
   * number it has just given would always be ahead of the others.
   */
  async #commitNext(queue: SequencedChange[], read: () => Promise<Sequence>): Promise<void> {
    const before = await read();
    const { writes, group } = takeGroup(queue, before.last);
    if (group.length === 0) return;
    const verdict = await this.#commit(before, writes, group.length);
    if (verdict === 'committed') {
      for (const { resolve } of group) resolve(verdict);
    } else if (verdict === 'conflict' && (await read().catch(() => before)).version !== before.version) {
      queue.unshift(...group); // another instance has given these numbers
    } else if (group.length > 1 && !(verdict instanceof Unavailable)) {
      queue.unshift(...group.map((change) => Object.assign(change, { isAlone: true }))); // one of them is at fault
    } else {
      for (const { resolve, reject } of group) verdict === 'conflict' ? resolve(verdict) : reject(verdict);
    }
  }

  /** The verdict, or the error. */
  async #commit(before: Sequence, writes: Write[], count: number): Promise<'committed' | 'conflict' | Error> {
    try {
      return await this.#committer.commit({ tenant: before.tenant, writes: [...writes, counted(before, count)] });
    } catch (error) {
      return error as Error;
    }
  }
}

/**
 * The next number, for a commit that is made without the queue: it conflicts if another one has given the number meanwhile, and is then
 * decided again.
 */
export async function takeNumber(
  reads: Pick<Reads, 'one'>,
  tenant: Tenant,
  sequence: string,
): Promise<{ number: number; write: Write }> {
  const before = await readSequence(reads, tenant, sequence);
  return { number: before.last + 1, write: counted(before, 1) };
}

async function readSequence(reads: Pick<Reads, 'one'>, tenant: Tenant, sequence: string): Promise<Sequence> {
  const stored = await reads.one(sequencesTable, tenant, sequence);
  return stored ?? { tenant, id: sequence, version: 0, last: 0 };
}

function counted(before: Sequence, count: number): Write {
  const after = { ...before, version: before.version + 1, last: before.last + count };
  return after.version === 1 ? claim(sequencesTable, after) : update(sequencesTable, after);
}

/** Takes changes from the front of the queue that do not touch the same row. One that cannot be rendered is rejected. */
function takeGroup(queue: SequencedChange[], last: number): { writes: Write[]; group: SequencedChange[] } {
  const writes: Write[] = [];
  const group: SequencedChange[] = [];
  const touched = new Set<string>();
  while (queue.length > 0 && group.length < groupMax) {
    const change = queue[0]!;
    if (group.length > 0 && (change.isAlone || group[0]!.isAlone)) break;
    const own = rendered(change, last + group.length + 1);
    if (own?.rows.some((row) => touched.has(row))) break;
    queue.shift();
    if (own === undefined) continue;
    for (const row of own.rows) touched.add(row);
    writes.push(...own.writes);
    group.push(change);
  }
  return { writes, group };
}

function rendered({ render, reject }: SequencedChange, number: number) {
  try {
    const writes = render(number);
    return { writes, rows: writes.map(rowName) };
  } catch (error) {
    reject(error);
    return undefined;
  }
}
