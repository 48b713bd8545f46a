import type { Keyring } from '../base/keyring.ts';
import type { Tenant } from '../base/reads.ts';
import { type Connection, cursorPages, query, type Row } from '../base/sql.ts';
import { type FoundPosting, firstDifference, type Problem, splitLeaves } from './compare.ts';
import { leafOf, lineColumnsSql, type PostingLine } from './lines.ts';
import { type Block, firstSeal, sealOf } from './seal.ts';

const postingsPerFetch = 2_000;
const blocksPerFetch = 16; // a block may hold 320 KB

/** The state of a tenant's chain. An operator may keep the head elsewhere: without it, a chain that was cut short looks whole. */
export type Chain = {
  blocks: number;
  /** The last seal in hex; null before the first block. */
  head: string | null;
  postings: number;
  /** The newest postings, which are in no block yet. */
  unsealed: number;
  /** The first row that is wrong; later rows were not checked. */
  problem: Problem | undefined;
};

type StoredBlock = Block & { seal: Buffer };
/** The parts of a block that the next one is checked against. */
type Link = Pick<StoredBlock, 'number' | 'to_position' | 'seal'>;

/**
 * Reads all of a tenant's postings and blocks, in the order in which they were sealed, and computes every leaf and every seal again.
 * The caller's transaction has one snapshot. Only a page of postings and a page of blocks are in memory.
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
    return problem(`block ${number} was altered: its seal is wrong`);
  if (block.from_position < before.to_position) return problem(`block ${number} overlaps the block before it`);
  if (block.to_position > sealedTo)
    return problem(`block ${number} reaches beyond position ${sealedTo}, where sealing has ended`);
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

/** Postings below this position should be in an earlier block. */
async function strayProblem(reader: PostingReader, position: number): Promise<Problem | undefined> {
  const stray = await reader.next(position);
  return stray && { id: stray.id, message: `the posting ${stray.id} is in no block, but should be` };
}

function blocksOf(client: Connection, tenant: Tenant): AsyncGenerator<StoredBlock> {
  const text = `select tenant, number, from_position, to_position, leaves, seal from ledger_blocks where tenant = $1 order by number`;
  return rowsOf(cursorPages<StoredBlock & Row>(client, 'verify_blocks', text, [tenant], blocksPerFetch));
}

/** The postings of a tenant, one by one, in the order of the chain. */
class PostingReader {
  readonly #lines: AsyncGenerator<PostingLine, undefined>;
  #ahead: PostingLine | undefined;
  read = 0;

  constructor(client: Connection, tenant: Tenant) {
    const text = `select ${lineColumnsSql} from postings p where p.tenant = $1 order by p.position, p.id`;
    this.#lines = rowsOf(cursorPages<PostingLine & Row>(client, 'verify_postings', text, [tenant], postingsPerFetch));
  }

  /** The next posting, if it is below this position. */
  async next(below: number): Promise<PostingLine | undefined> {
    this.#ahead ??= (await this.#lines.next()).value;
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

async function* rowsOf<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T, undefined> {
  for await (const page of pages) yield* page;
}
