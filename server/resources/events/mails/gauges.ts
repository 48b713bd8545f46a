import type { Table } from '../../../base/commit/index.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { ResourceGauge } from '../../../operations/gauge.ts';
import { personMailsTable } from './person_mails.ts';
import { mailsTable } from './store.ts';

/** So many are counted at most, of those to customers and of those to people. */
const countedMax = 100_000;

/** To customers and to people: the latter are in the directory too. */
export const mailGauges: readonly ResourceGauge[] = [mailsTable, personMailsTable].flatMap((table) => [
  {
    name: 'tollgate_mails_failing',
    help: `Mails that wait for another attempt to send them, of the ${countedMax} to customers and to people that are due first.`,
    home: table.home,
    read: async (pool) => (await readWaiting(pool, table)).failing,
  },
  {
    name: 'tollgate_mails_due_oldest_seconds',
    help: 'How long the oldest mail that is due has been due; 0 without any.',
    home: table.home,
    read: async (pool) => (await readWaiting(pool, table)).oldest_seconds,
  },
]);

const waitingIn = (table: string) =>
  `(select due_at, attempts from ${table} where due_at is not null order by due_at limit ${countedMax})`;

async function readWaiting(
  pool: Pool,
  { name }: Pick<Table, 'name'>,
): Promise<{ failing: number; oldest_seconds: number }> {
  const [row] = await query<{ failing: number; oldest_seconds: number }>(
    pool,
    `select count(*) filter (where attempts > 0)::float8 as failing,
            coalesce(greatest(extract(epoch from now() - min(due_at)), 0), 0)::float8 as oldest_seconds
       from (${waitingIn(name)}) as waiting`,
    [],
    `waiting_${name}`,
  );
  return row!;
}
