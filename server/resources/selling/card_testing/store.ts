import { type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { inTransaction, type Pool, query, type Sql } from '../../../base/sql.ts';
import type { TenantsThere } from '../../../operations/job.ts';
import { inSteps, rowsPerStep } from '../../../operations/purge.ts';
import type { Retention } from '../../../operations/retention.ts';
import { accountIdOf } from '../../../operations/tenants.ts';
import type { CardTestingLimits } from '../../people/accounts/card_testing.ts';
import { type DeclineShare, type Facts, hourMs, openMs, shareOfMax, tenMinutesMs } from './limits.ts';

/**
 * `begun`: a session of a link was made, and nothing was tried. `passed` is every outcome but a decline: also a payment that waits for its
 * cardholder, which may be declined later.
 */
export type CardTryState = 'begun' | 'open' | 'passed' | 'declined';

/** A try to pay. Addresses and cards are keyed hashes. */
export type CardTry = {
  tenant: Tenant;
  id: string;
  version: number;
  session: string;
  link: string | null;
  network: Buffer;
  card: Buffer | null;
  state: CardTryState;
  at: Date;
  declined_at: Date | null;
};

/** Written beside commits, and lost with a crash of the database: a row is no proof of a commit. */
const triesTable: Table<CardTry> = table('card_testing_tries', {
  int4: 'tenant version',
  text: 'id session link state',
  bytea: 'network card',
  timestamptz: 'at declined_at',
  identity: [],
});

export const findTry = (reads: Pick<Reads, 'one'>, tenant: Tenant, id: string): Promise<CardTry | undefined> =>
  reads.one(triesTable, tenant, id);

export const replaceTry = (changed: CardTry): Write => update(triesTable, changed);

/** How the tries of one address, and those of one card, are judged one after the other, over all instances. */
function lockOf(hash: Buffer): string {
  return `select pg_advisory_xact_lock(${hash.readBigInt64BE()})`;
}

/**
 * Reads what is known about a try and adds it unless `isRefused`. Of tries at the same moment, the later ones see the earlier: the
 * address is always locked before the card, so that no two wait for each other.
 */
export function addUnless<Reason>(
  pool: Pool,
  added: CardTry,
  limits: CardTestingLimits,
  refusalOf: (facts: Facts) => Reason | undefined,
): Promise<Reason | undefined> {
  const locks = [added.network, ...(added.card === null ? [] : [added.card])].map(lockOf);
  return inTransaction(
    pool,
    async (client) => {
      const refusal = refusalOf(await readFacts(client, added, limits));
      if (refusal === undefined) await insertTry(client, added);
      return { isKept: refusal === undefined, result: refusal };
    },
    ['begin', ...locks].join('; '),
  );
}

/** Adds the card of a try that was added without it, unless that is refused: then the try is taken back. */
export function addCardUnless<Reason>(
  pool: Pool,
  added: CardTry & { card: Buffer },
  limits: CardTestingLimits,
  refusalOf: (facts: Facts) => Reason | undefined,
): Promise<Reason | undefined> {
  const { tenant, id, card } = added;
  return inTransaction(
    pool,
    async (client) => {
      const refusal = refusalOf(await readFacts(client, added, limits));
      if (refusal !== undefined) await removeTry(client, added);
      else
        await query(
          client,
          'update card_testing_tries set card = $3 where tenant = $1 and id = $2',
          [tenant, id, card],
          'card_testing_card',
        );
      return { isKept: true, result: refusal };
    },
    ['begin', lockOf(card)].join('; '),
  );
}

/** Of a try that was not made. */
export async function removeTry(sql: Sql | Pool, { tenant, id }: Pick<CardTry, 'tenant' | 'id'>): Promise<void> {
  const text = 'delete from card_testing_tries where tenant = $1 and id = $2';
  await query(sql, text, [tenant, id], 'card_testing_remove');
}

type FactsRow = { declines: number[]; open: number; card_sessions: number[]; link_sessions: number[] };

async function readFacts(client: Sql, one: CardTry, limits: CardTestingLimits): Promise<Facts> {
  const [row] = await query<FactsRow>(
    client,
    `select array(select extract(epoch from declined_at) * 1000 from card_testing_tries
                   where tenant = $1 and network = $2 and declined_at > $5 and id <> $3
                   order by declined_at desc limit $10)::float8[] as declines,
            (select count(*) from card_testing_tries
              where tenant = $1 and network = $2 and at > $7 and state = 'open' and id <> $3) as open,
            array(select max(extract(epoch from at)) * 1000 from card_testing_tries
                   where tenant = $1 and card = $8 and at > $5 and session <> $4
                   group by session order by max(at) desc limit $11)::float8[] as card_sessions,
            array(select max(extract(epoch from at)) * 1000 from card_testing_tries
                   where tenant = $1 and network = $2 and at > $6 and link = $9 and session <> $4
                   group by session order by max(at) desc limit $12)::float8[] as link_sessions`,
    [
      ...[one.tenant, one.network, one.id, one.session],
      ...[hourMs, tenMinutesMs, openMs].map((age) => new Date(one.at.getTime() - age)),
      ...[one.card, one.link],
      ...[limits.declines_per_address, limits.sessions_per_card, limits.sessions_per_link_address],
    ],
    'card_testing_facts',
  );
  const { declines, open, card_sessions, link_sessions } = row!;
  return { declines, open, cardSessions: card_sessions, linkSessions: link_sessions };
}

/** A decision that is made again after a conflict counts its try once. */
function insertTry(client: Sql, one: CardTry) {
  return query(
    client,
    `insert into card_testing_tries (tenant, id, version, session, link, network, card, state, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (tenant, id) do nothing`,
    [one.tenant, one.id, one.version, one.session, one.link, one.network, one.card, one.state, one.at],
    'card_testing_insert',
  );
}

export async function shareOf(pool: Pool, tenant: Tenant, now: number): Promise<DeclineShare> {
  const [share] = await query<DeclineShare>(
    pool,
    `select count(*)::int4 as tries, (count(*) filter (where state = 'declined'))::int4 as declined
       from (select state from card_testing_tries
              where tenant = $1 and at > $2 and state in ('passed', 'declined') order by at desc limit $3) newest`,
    [tenant, new Date(now - tenMinutesMs), shareOfMax],
    'card_testing_share',
  );
  return share!;
}

export type Alarm = DeclineShare & { tenant: Tenant; since: Date; until: Date };

/** An alarm that is still on keeps its beginning. */
export async function raiseAlarm(pool: Pool, { tenant, since, until, tries, declined }: Alarm): Promise<void> {
  await query(
    pool,
    `insert into card_testing_alarms as a (tenant, since, until, tries, declined) values ($1, $2, $3, $4, $5)
     on conflict (tenant) do update
        set since = case when a.until > excluded.since then a.since else excluded.since end,
            until = greatest(a.until, excluded.until), tries = excluded.tries, declined = excluded.declined`,
    [tenant, since, until, tries, declined],
  );
}

/** The end of the alarm of a tenant, epoch milliseconds; undefined if it never had one. */
export async function alarmEnd(pool: Pool, tenant: Tenant): Promise<number | undefined> {
  const text = 'select until from card_testing_alarms where tenant = $1';
  const [row] = await query<{ until: Date }>(pool, text, [tenant], 'card_testing_alarm');
  return row?.until.getTime();
}

export type ShownAlarm = Omit<Alarm, 'tenant'> & { account: string };

export async function findAlarms(reads: Reads, tenant: Tenant, limit: number): Promise<ShownAlarm[]> {
  const found = await reads.rows<Omit<Alarm, 'tenant'>>(
    'select since, until, tries, declined from card_testing_alarms where tenant = $1 and until > now() limit $2',
    [tenant, limit],
  );
  if (found.length === 0) return [];
  const account = await accountIdOf(reads, tenant);
  return found.map((alarm) => ({ account, ...alarm }));
}

const keptHours = 25;

/** Deletes tries that no limit looks at, nor a page of a processor that is still open. */
export async function purgeTries(pool: Pool, _: Retention, tenantsThere: TenantsThere): Promise<void> {
  const old = `x.at < now() - make_interval(hours => ${keptHours})`;
  const tenants = await query<{ tenant: Tenant }>(
    pool,
    `select t.tenant from unnest($1::int4[]) as t (tenant)
      where exists (select from card_testing_tries x where x.tenant = t.tenant and ${old})`,
    [await tenantsThere()],
  );
  for (const { tenant } of tenants)
    await inSteps(
      pool,
      `delete from card_testing_tries where tenant = $1 and id = any (array(
         select x.id from card_testing_tries x where x.tenant = $1 and ${old} order by x.at limit ${rowsPerStep}
            for update skip locked))`,
      [tenant],
    );
}
