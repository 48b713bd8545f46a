import { type Pool, query } from '../../../base/sql.ts';
import type { MaintenanceTask } from '../../../operations/job.ts';
import { rowsPerStep } from '../../../operations/purge.ts';
import { destroySecretsSql } from '../../../vault/index.ts';

export const processorAccountMaintenance: readonly MaintenanceTask[] = [
  { name: 'earlier webhook secrets of processor accounts', run: destroyPreviousSecrets },
];

/** Destroys the webhook secret before a rotation, once its day is over. */
async function destroyPreviousSecrets(pool: Pool): Promise<void> {
  await query(
    pool,
    `with over as (
       select tenant, id, previous_secret from processor_accounts
        where previous_until <= now() limit ${rowsPerStep} for update skip locked),
     cleared as (
       update processor_accounts p set previous_secret = null, previous_until = null, version = version + 1
         from over o where p.tenant = o.tenant and p.id = o.id returning o.tenant, o.previous_secret as id)
     ${destroySecretsSql('cleared')}`,
    [],
  );
}
