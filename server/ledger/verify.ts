import type { Keyring } from '../base/keyring.ts';
import type { Tenant } from '../base/reads.ts';
import { type Connection, query, type Row } from '../base/sql.ts';
import { type FoundPosting, firstDifference, type Problem, splitLeaves } from './compare.ts';
import { type Line, leafOf, lineColumnsSql } from './lines.ts';
import { type Block, firstSeal, sealOf } from './seal.ts';

const postingsPerFetch = 2_000;
const blocksPerFetch = 16; // a block may hold 320 KB

/** What became of a tenant's chain. Its head is what an operator may keep elsewhere: without it, an end that is cut off is not seen. */
export type Chain = {
  blocks: number;
  /** The last seal in hex; null before the first block. */
  head: string | null;
  postings: number;
  /** Postings of the last moment, which are in no block yet. */
  unsealed: number;
  /** The first row that does not hold; what comes after it was not looked at. */
  problem: Problem | undefined;
};

type StoredBlock = Block & { seal: Buffer };
/** What of a block the next one hangs from. */
type Link = Pick<StoredBlock, 'number' | 'to_position' | 'seal'>;

/**
 * Reads all of a tenant's postings and blocks, in the order in which they were sealed, and makes every leaf and every seal again.
 * In a transaction that sees one state of the database; it keeps one page of postings and one block, however many there are.
 */
export async function verifyChain(client: Connection, keyring: Keyring, tenant: Tenant): Promise<Chain> {
  const [sealer] = await query<{ sealed_to: number }>(client, 'select sealed_to from ledger_sealer', []);
  const reader = new PostingReader(client, tenant);
  const chain: Chain = { blocks: 0, head: null, postings: 0, unsealed: 0, problem: undefined };
  let before: Link = { number: 0, to_position: 0, seal: firstSeal };
  for await (const block of blocksOf(client, tenant)) {
    chain.problem = linkProblem(keyring, before, block, sealer!.sealed_to) ?? (await contentProblem(reader, block));
    if (chain.problem !== undefined) break;
    chain.blocks++;
    chain.head = block.seal.toString('hex');
    before = block;
  }
  chain.problem ??= await strayProblem(reader, sealer!.sealed_to);
  if (chain.problem === undefined) chain.unsealed = await reader.countRest();
  chain.postings = reader.read;
  await reader.close();
  return chain;
}

function linkProblem(keyring: Keyring, before: Link, block: StoredBlock, sealedTo: number): Problem | undefined {
  const { number } = block;
  const problem = (message: string) => ({ id: null, message });
  const gap = number - before.number - 1;
  if (gap === 1) return problem(`block ${number - 1} is missing`);
  if (gap > 1) return problem(`blocks ${before.number + 1} to ${number - 1} are missing`);
  if (!sealOf(keyring, before.seal, block).equals(block.seal))
    return problem(`block ${number} was altered: its seal is not the one that it should have`);
  if (block.from_position < before.to_position) return problem(`block ${number} seals again what was sealed before it`);
  if (block.to_position > sealedTo)
    return problem(`block ${number} reaches beyond ${sealedTo}, where sealing has come to`);
  return undefined;
}

async function contentProblem(reader: PostingReader, block: StoredBlock): Promise<Problem | undefined> {
  const stray = await strayProblem(reader, block.from_position);
  if (stray !== undefined) return stray;
  const found: FoundPosting[] = [];
  for (let line = await reader.next(block.to_position); line !== undefined; line = await reader.next(block.to_position))
    found.push({ id: line.id, leaf: leafOf(line).toString('hex') });
  const problem = firstDifference(splitLeaves(block.leaves), found);
  return problem && { ...problem, message: `in block ${block.number}, ${problem.message}` };
}

/** Up to here, everything should have been in the blocks before. */
async function strayProblem(reader: PostingReader, position: number): Promise<Problem | undefined> {
  const stray = await reader.next(position);
  return stray && { id: stray.id, message: `the posting ${stray.id} is in no block, and should be` };
}

function blocksOf(client: Connection, tenant: Tenant): AsyncGenerator<StoredBlock> {
  return rowsOf<StoredBlock & Row>(
    client,
    'verify_blocks',
    `select tenant, number, from_position, to_position, leaves, seal from ledger_blocks where tenant = $1 order by number`,
    [tenant],
    blocksPerFetch,
  );
}

/** The postings of a tenant, one after the other, in the order of the chain. */
class PostingReader {
  readonly #lines: AsyncGenerator<Line>;
  #ahead: Line | undefined;
  #isAtEnd = false;
  read = 0;

  constructor(client: Connection, tenant: Tenant) {
    this.#lines = rowsOf<Line & Row>(
      client,
      'verify_postings',
      `select ${lineColumnsSql} from postings p where p.tenant = $1 order by p.position, p.id`,
      [tenant],
      postingsPerFetch,
    );
  }

  /** The next one, if it lies below this position. */
  async next(below: number): Promise<Line | undefined> {
    if (this.#ahead === undefined && !this.#isAtEnd) {
      const { value, done } = await this.#lines.next();
      this.#isAtEnd = done === true;
      this.#ahead = done ? undefined : value;
    }
    const line = this.#ahead;
    if (line === undefined || Number(line.position) >= below) return undefined;
    this.#ahead = undefined;
    this.read++;
    return line;
  }

  async countRest(): Promise<number> {
    const before = this.read;
    while ((await this.next(Number.POSITIVE_INFINITY)) !== undefined);
    return this.read - before;
  }

  async close(): Promise<void> {
    await this.#lines.return(undefined);
  }
}

/** A result that need not fit into memory, as PostgreSQL hands it out: page by page. */
async function* rowsOf<T extends Row>(
  client: Connection,
  cursor: string,
  text: string,
  values: unknown[],
  perFetch: number,
): AsyncGenerator<T> {
  await query(client, `declare ${cursor} no scroll cursor for ${text}`, values);
  try {
    for (;;) {
      const rows = await query<T>(client, `fetch ${perFetch} from ${cursor}`, []);
      yield* rows;
      if (rows.length < perFetch) return;
    }
  } finally {
    await client.query(`close ${cursor}`);
  }
}
