import { StringDecoder } from 'node:string_decoder';
import { BlockBuffer } from '../../../base/block_buffer.ts';
import { idTime } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { AnsweredRequest, RequestBodies } from './request.ts';

/** For how long, and how much of each, test mode keeps what was sent and answered. */
export const bodyDays = 7;
export const bodyBytesMax = 8_192;

// Half a second of heavy load. What does not fit is not kept.
const bytesMax = 4_194_304;
const rowsBytesMax = 1_048_576;

const aroundMs = 1_000; // the time of a row and that of its id are rounded differently
const dayMs = 86_400_000;

/** How many bytes of a text are kept, and how many it has. */
type KeptBytes = { kept: number; all: number };

type LoggedFacts = Pick<AnsweredRequest, 'id' | 'tenant' | 'receivedAt'>;

/**
 * Collects what requests of test mode have sent and got, and writes it in batches. PostgreSQL gets all texts of a batch as one block of
 * bytes, and each row says where its own are: nothing is escaped, and nothing parsed.
 */
export class BodyLog {
  readonly #rows = new BlockBuffer(rowsBytesMax);
  readonly #bytes = new BlockBuffer(bytesMax);

  add({ id, tenant, receivedAt }: LoggedFacts, { pathId, parameters, answer, scopes }: RequestBodies): void {
    const start = this.#bytes.used;
    const sent = this.#append(parameters);
    const got = this.#append(answer);
    // Ids and numbers need no escaping.
    const path = pathId === undefined ? 'null' : `"${pathId}"`;
    const needed = scopes.length === 0 ? 'null' : JSON.stringify(scopes);
    const row = `{"at":${receivedAt / 1_000},"tenant":${tenant},"id":"${id}","path_id":${path},"scopes":${needed},"start":${start},${placeOf('sent', sent)},${placeOf('got', got)}}`;
    this.#rows.append(`${this.#rows.used === 0 ? '[' : ','}${row}`);
  }

  #append(text: string | undefined): KeptBytes | undefined {
    if (text === undefined) return undefined;
    const before = this.#bytes.used;
    // A UTF-16 unit takes at most three bytes.
    const isShort = text.length * 3 <= bodyBytesMax;
    const all = isShort ? undefined : Buffer.byteLength(text);
    const isAdded = this.#bytes.append(all === undefined || all <= bodyBytesMax ? text : beginningOf(text));
    const kept = this.#bytes.used - before;
    return isAdded ? { kept, all: all ?? kept } : undefined;
  }

  /**
   * Takes what was collected; the function that it returns writes it, of these tenants only if there are any. A failure is not counted: the
   * rows of the log itself fail with it.
   */
  take(): (pool: Pool, only?: readonly Tenant[]) => Promise<void> {
    if (this.#rows.used === 0) return async () => {};
    const [rows, bytes] = [this.#rows.copy(']'), this.#bytes.copy()];
    return (pool, only) => insertBodies(pool, { rows, bytes, only }).catch(() => {});
  }
}

function placeOf(name: string, kept: KeptBytes | undefined): string {
  return kept === undefined ? `"${name}":null` : `"${name}":${kept.kept},"${name}_bytes":${kept.all}`;
}

/** As much as is kept, without half a character at the end. */
function beginningOf(text: string): string {
  return new StringDecoder('utf8').write(Buffer.from(text.slice(0, bodyBytesMax)).subarray(0, bodyBytesMax));
}

type TakenBodies = { rows: Buffer; bytes: Buffer; only: readonly Tenant[] | undefined };

async function insertBodies(pool: Pool, { rows, bytes, only }: TakenBodies): Promise<void> {
  const text = `insert into request_bodies (at, tenant, id, path_id, scopes, parameters, parameters_bytes, answer, answer_bytes)
     select to_timestamp(x.at), x.tenant, x.id, x.path_id, x.scopes,
            substring($2::bytea from x.start + 1 for x.sent), x.sent_bytes,
            substring($2::bytea from x.start + 1 + coalesce(x.sent, 0) for x.got), x.got_bytes
       from json_to_recordset($1::json) as x (at float8, tenant int4, id text, path_id text, scopes text[], start int4, sent int4,
            sent_bytes int4, got int4, got_bytes int4)`;
  if (only === undefined) await query(pool, text, [rows, bytes], 'request_bodies_insert');
  else await query(pool, `${text} where x.tenant = any($3::int4[])`, [rows, bytes, only]);
}

/** A text that was kept: the whole, or how it begins. */
export type KeptText = { text: string; isWhole: boolean };

export type StoredBodies = {
  path_id: string | null;
  scopes: readonly string[];
  parameters: KeptText | undefined;
  answer: KeptText | undefined;
};

type BodiesRow = {
  path_id: string | null;
  scopes: string[] | null;
  parameters: Buffer | null;
  parameters_bytes: number | null;
  answer: Buffer | null;
  answer_bytes: number | null;
};

/** What is kept of a request; nothing once it is older than a week. `now` in epoch milliseconds. */
export async function findBodies(
  reads: Reads,
  { tenant, id, now }: { tenant: Tenant; id: string; now: number },
): Promise<StoredBodies | undefined> {
  const at = idTime(id);
  if (at < now - bodyDays * dayMs) return undefined;
  const [row] = await reads.rows<BodiesRow>(
    `select path_id, scopes, parameters, parameters_bytes, answer, answer_bytes from request_bodies
      where tenant = $1 and id = $2 and at between $3 and $4`,
    [tenant, id, new Date(at - aroundMs), new Date(at + aroundMs)],
  );
  if (row === undefined) return undefined;
  return {
    path_id: row.path_id,
    scopes: row.scopes ?? [],
    parameters: keptText(row.parameters, row.parameters_bytes),
    answer: keptText(row.answer, row.answer_bytes),
  };
}

function keptText(bytes: Buffer | null, all: number | null): KeptText | undefined {
  return bytes === null ? undefined : { text: bytes.toString(), isWhole: bytes.length === all };
}
