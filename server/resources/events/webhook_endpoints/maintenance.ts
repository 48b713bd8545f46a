import { type Pool, query } from '../../../base/sql.ts';
import type { MaintenanceTask } from '../../../operations/job.ts';
import { purgeOlderThan, rowsPerStep } from '../../../operations/purge.ts';
import type { Retention } from '../../../operations/retention.ts';
import { destroySecretsSql } from '../../../vault/index.ts';
import { deliveriesTable, deliveryAttemptsTable } from './deliveries/delivery.ts';
import { cancelOrphans } from './deliveries/orphans.ts';

export const webhookEndpointMaintenance: readonly MaintenanceTask[] = [
  { name: 'webhook secrets whose overlap is over', run: destroyOldSecrets },
  { name: 'deliveries to deleted endpoints', run: cancelOrphans },
  { name: 'old deliveries', isLong: true, run: purgeDeliveries },
];

/** Destroys the previous secret when the overlap of a rotation is over. */
async function destroyOldSecrets(pool: Pool): Promise<void> {
  await query(
    pool,
    `with over as (
       update webhook_endpoints set previous_until = null, version = version + 1
        where ctid = any (array(select ctid from webhook_endpoints where previous_until <= now() limit ${rowsPerStep}
                                   for update skip locked)) returning tenant, id || '/' || (secret - 1) as id)
     ${destroySecretsSql('over')}`,
    [],
  );
}

/** Deliveries and their attempts are kept for as long as their event; their ids begin with its time. */
async function purgeDeliveries(pool: Pool, { eventDays }: Retention): Promise<void> {
  await purgeOlderThan(pool, eventDays, { table: deliveriesTable, id: 'id', prefix: 'whd' });
  await purgeOlderThan(pool, eventDays, { table: deliveryAttemptsTable, id: 'delivery', prefix: 'whd' });
}
