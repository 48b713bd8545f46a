import { type Pool, query } from '../../../../base/sql.ts';
import type { ResourceGauge } from '../../../../operations/gauge.ts';
import { span } from './due.ts';

const countedMax = 100_000;

/** The webhooks that should have been sent by now. Those that wait for their next attempt after a failure are not among them. */
export const deliveryGauges: readonly ResourceGauge[] = [
  {
    name: 'tollgate_webhooks_due',
    help: `Webhooks that are due and not sent yet; ${countedMax} stands for that many or more.`,
    read: async (pool) => Number((await due(pool)).webhooks),
  },
  {
    name: 'tollgate_webhooks_due_oldest_seconds',
    help: 'How long the oldest of these webhooks has been due; 0 without any.',
    read: async (pool) => Number((await due(pool)).oldest_seconds ?? 0),
  },
];

async function due(pool: Pool): Promise<{ webhooks: number; oldest_seconds: string | null }> {
  const [row] = await query<{ webhooks: number; oldest_seconds: string | null }>(
    pool,
    `select count(*) as webhooks, extract(epoch from now() - min(due_at)) as oldest_seconds from (
       select due_at from deliveries
        where due_at is not null and ${span('due_at')} <= ${span('now()')} and due_at <= now()
        order by ${span('due_at')} limit ${countedMax}) as d`,
    [],
    'webhooks_due',
  );
  return row!;
}
