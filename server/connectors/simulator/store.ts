import { insert, table, type Write } from '../../base/commit/index.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Pool, query, type Row } from '../../base/sql.ts';
import type { Entry } from './ledger.ts';

/** A page on which a cardholder decides. */
export type Challenge = {
  tenant: Tenant;
  attempt: string;
  hash: Buffer;
  payment: string;
  amount: number;
  currency: string;
  return_url: string | null;
  at: Date;
};

const entriesTable = table<Entry>(
  'simulator.entries',
  {
    tenant: 'int4',
    attempt: 'text',
    verb: 'text',
    authorization_attempt: 'text',
    sequence: 'int4',
    payment: 'text',
    amount: 'int8',
    currency: 'text',
    captures: 'bool',
    result: 'text',
    code: 'text',
    decline_code: 'text',
    reference: 'text',
    last4: 'text',
    checks: 'text',
    scenario: 'text',
    at: 'timestamptz',
  },
  { key: ['tenant', 'attempt'], identity: [] }, // another call with the same attempt may have written the same
);

const challengesTable = table<Challenge>(
  'simulator.challenges',
  {
    tenant: 'int4',
    attempt: 'text',
    hash: 'bytea',
    payment: 'text',
    amount: 'int8',
    currency: 'text',
    return_url: 'text',
    at: 'timestamptz',
  },
  { key: ['tenant', 'attempt', 'hash'] },
);

/** Reads and a pool both answer questions; which of them does depends on the place. */
export type Ask = <T extends Row>(text: string, values: unknown[]) => Promise<T[]>;

export function asking(pool: Pool): Ask {
  return (text, values) => query(pool, text, values);
}

export function addEntry(entry: Entry): Write {
  return insert(entriesTable, entry);
}

export function addChallenge(challenge: Challenge): Write {
  return insert(challengesTable, challenge);
}

/** The entry of an attempt, and all about the authorization, in the order in which they were made. */
export function knownEntries(ask: Ask, tenant: Tenant, attempt: string, authorization: string): Promise<Entry[]> {
  return ask<Entry>(
    `select tenant, attempt, verb, authorization_attempt, sequence, payment, amount, currency, captures, result, code, decline_code,
            reference, last4, checks, scenario, at
       from simulator.entries
      where tenant = $1 and (attempt in ($2, $3) or (authorization_attempt = $3 and sequence > 0))
      order by sequence`,
    [tenant, attempt, authorization],
  );
}

/** By the hash of its token: this is how a page finds its tenant. */
export async function findChallenge(ask: Ask, hash: Buffer): Promise<Challenge | undefined> {
  const [challenge] = await ask<Challenge>(
    `select tenant, attempt, hash, payment, amount, currency, return_url, at from simulator.challenges where hash = $1`,
    [hash],
  );
  return challenge;
}

/** Where the cardholder of an attempt goes afterwards. */
export async function returnUrlOf(ask: Ask, tenant: Tenant, attempt: string): Promise<string | undefined> {
  const [challenge] = await ask<Challenge>(
    'select return_url from simulator.challenges where tenant = $1 and attempt = $2 limit 1',
    [tenant, attempt],
  );
  return challenge?.return_url ?? undefined;
}

/** Whoever lost a race reads and decides again. Each loss means that somebody else got on; so many in a row are a bug. */
export const triesMax = 50;

/**
 * Commits the rows, all or none, in a transaction of the processor's own. False when somebody else made the same attempt, or was
 * first to act on the authorization: then the decision was made on old knowledge, and nothing is written.
 */
export async function commitRows(
  pool: Pool,
  entries: readonly Entry[],
  challenges: readonly Challenge[],
): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const added = await client.query(
      `insert into simulator.entries (tenant, attempt, verb, authorization_attempt, sequence, payment, amount, currency, captures,
              result, code, decline_code, reference, last4, checks, scenario, at)
       select tenant, attempt, verb, authorization_attempt, sequence, payment, amount, currency, captures,
              result, code, decline_code, reference, last4, checks, scenario, at
         from json_populate_recordset(null::simulator.entries, $1::json)
       on conflict do nothing`,
      [JSON.stringify(entries)],
    );
    const isWhole = added.rowCount === entries.length;
    if (isWhole)
      for (const { tenant, attempt, hash, payment, amount, currency, return_url, at } of challenges)
        await client.query(
          `insert into simulator.challenges (tenant, attempt, hash, payment, amount, currency, return_url, at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [tenant, attempt, hash, payment, amount, currency, return_url, at],
        );
    await client.query(isWhole ? 'commit' : 'rollback');
    client.release();
    return isWhole;
  } catch (error) {
    client.release(true); // whatever was begun on it ends with the connection
    throw error;
  }
}
