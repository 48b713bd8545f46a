import { insert, type Table, table, type Write } from '../../base/commit/index.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import { readPlaces } from '../../base/places/turns.ts';
import type { Tenant, TenantValues } from '../../base/reads.ts';
import { query, type Row, type Sql } from '../../base/sql.ts';
import type { ProcessorAccountId } from '../contract.ts';
import type { Entry } from './ledger.ts';
import type { News } from './news.ts';

/** A page on which a cardholder decides. */
export type Challenge = {
  tenant: Tenant;
  account: ProcessorAccountId | null;
  attempt: string;
  hash: Buffer;
  /** The payment, or the setup. */
  payment: string;
  amount: number;
  /** Null: a setup, which has no money. */
  currency: string | null;
  return_url: string | null;
  at: Date;
};

/** Rows that are committed together, or not at all. */
export type Rows = { entries: readonly Entry[]; challenges: readonly Challenge[]; news: readonly News[] };

/** Without the verdict: only a close has one, and the simulator commits a close by itself in either place. */
const entriesTable: Table<Omit<Entry, 'verdict'>> = table('simulator_entries', {
  int4: 'tenant sequence',
  text: `account attempt verb authorization_attempt payment currency result code decline_code reference last4 checks
    scenario card paid_with`,
  int8: 'amount',
  bool: 'captures',
  json: 'page',
  timestamptz: 'at',
  key: ['tenant', 'attempt'],
  identity: [], // another call with the same attempt may have written the same
});

const challengesTable: Table<Challenge> = table('simulator_challenges', {
  int4: 'tenant',
  text: 'account attempt payment currency return_url',
  bytea: 'hash',
  int8: 'amount',
  timestamptz: 'at',
  key: ['tenant', 'attempt', 'hash'],
});

const newsTable: Table<News> = table('simulator_news', {
  int4: 'tenant',
  text: 'account id kind attempt authorization_attempt',
  timestamptz: 'at',
  identity: [], // as with the entries
});

/** Runs a query: on the gateway's reads when local, on the simulator's own connections when remote. */
export type AskRows = <T extends Row>(text: string, values: TenantValues) => Promise<T[]>;

export function asking(durable: SqlAt): AskRows {
  return (text, values) => durable.at(values[0], (sql) => query(sql, text, values));
}

/** For the gateway's own transaction. */
export function writesOf({ entries, challenges, news }: Rows): Write[] {
  return [
    ...entries.map((entry) => insert(entriesTable, entry)),
    ...challenges.map((challenge) => insert(challengesTable, challenge)),
    ...news.map((one) => insert(newsTable, one)),
  ];
}

const entryColumns = `tenant, account, attempt, verb, authorization_attempt, sequence, payment, amount, currency, captures, result, code,
  decline_code, reference, last4, checks, scenario, card, verdict, page, paid_with, at`;

const approvalsMax = 1_000;

/** The latest approvals of a card, through any processor account: the bank knows its card. */
export function findApprovals(ask: AskRows, tenant: Tenant, card: string): Promise<Entry[]> {
  return ask<Entry>(
    `select ${entryColumns} from simulator_entries
      where tenant = $1 and card = $2 and result = 'approved' and verb in ('authorize', 'setup', 'decide')
      order by authorization_attempt desc limit ${approvalsMax}`,
    [tenant, card],
  );
}

/** The entry of an attempt, and all entries about the authorization, in order. */
export function knownEntries(ask: AskRows, tenant: Tenant, attempt: string, authorization: string): Promise<Entry[]> {
  return ask<Entry>(
    `select ${entryColumns}
       from simulator_entries
      where tenant = $1 and (attempt in ($2, $3) or (authorization_attempt = $3 and sequence > 0))
      order by sequence`,
    [tenant, attempt, authorization],
  );
}

const challengeColumns = challengesTable.columns.join(', ');

/** By the hash of its token. */
export async function findChallenge(ask: AskRows, tenant: Tenant, hash: Buffer): Promise<Challenge | undefined> {
  const text = `select ${challengeColumns} from simulator_challenges where tenant = $1 and hash = $2`;
  return (await ask<Challenge>(text, [tenant, hash]))[0];
}

/** By the hash of a token that was made before tokens named their tenant. */
export async function findChallengeAnywhere(durable: SqlAt, hash: Buffer): Promise<Challenge | undefined> {
  const text = `select ${challengeColumns} from simulator_challenges where hash = $1`;
  return (await readPlaces(durable.places('tenant'), (sql) => query<Challenge>(sql, text, [hash])))[0];
}

/** Where the cardholder of an attempt goes afterwards. */
export async function returnUrlOf(ask: AskRows, tenant: Tenant, attempt: string): Promise<string | undefined> {
  const [challenge] = await ask<Challenge>(
    'select return_url from simulator_challenges where tenant = $1 and attempt = $2 limit 1',
    [tenant, attempt],
  );
  return challenge?.return_url ?? undefined;
}

const triesMax = 50;

/** Reads, decides and commits, again after each lost race. A lost race means progress elsewhere: undefined after too many in a row. */
export async function untilCommitted<Decided extends { rows: Rows }>(
  durable: SqlAt,
  tenant: Tenant,
  decide: () => Promise<Decided>,
): Promise<Decided | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const decided = await decide();
    const { entries, challenges } = decided.rows;
    if (entries.length + challenges.length === 0) return decided; // there is no news without an entry
    if (await commitRows(durable, tenant, decided.rows)) return decided;
  }
  return undefined;
}

/**
 * Commits the rows in a transaction of the simulator's own. False when another process has made the same attempt or was first to act on
 * the authorization: then the decision is based on stale entries, and nothing is written.
 */
function commitRows(durable: SqlAt, tenant: Tenant, { entries, challenges, news }: Rows): Promise<boolean> {
  return durable.transaction(tenant, async (client) => {
    const isWhole = await insertEntries(client, entries);
    if (isWhole && news.length > 0) await insertNews(client, news);
    if (isWhole) for (const challenge of challenges) await insertChallenge(client, challenge);
    return { isKept: isWhole, result: isWhole };
  });
}

async function insertEntries(sql: Sql, entries: readonly Entry[]): Promise<boolean> {
  const added = await sql.query(
    `insert into simulator_entries (${entryColumns})
     select ${entryColumns}
       from json_populate_recordset(null::simulator_entries, $1::json)
     on conflict do nothing`,
    [JSON.stringify(entries)],
  );
  return added.rowCount === entries.length;
}

export const newsColumns = 'tenant, account, id, kind, attempt, authorization_attempt, at';

async function insertNews(sql: Sql, news: Rows['news']): Promise<void> {
  await sql.query(
    `insert into simulator_news (${newsColumns})
     select ${newsColumns} from json_populate_recordset(null::simulator_news, $1::json)`,
    [JSON.stringify(news)],
  );
}

async function insertChallenge(sql: Sql, challenge: Challenge): Promise<void> {
  const { tenant, account, attempt, hash, payment, amount, currency, return_url, at } = challenge;
  await sql.query(
    `insert into simulator_challenges (tenant, account, attempt, hash, payment, amount, currency, return_url, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [tenant, account, attempt, hash, payment, amount, currency, return_url, at],
  );
}
