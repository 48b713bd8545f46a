import { type Pool, query } from '../base/sql.ts';

const rowsPerStep = 5_000; // small steps: no long locks

/** Deletes the security codes whose time is over. Any number of servers may do it at once. Gives the number of those deleted. */
export async function sweepCvcs(pool: Pool): Promise<number> {
  for (let swept = 0; ; ) {
    const [step] = await query<{ rows: number }>(
      pool,
      `with gone as (
         delete from vault_cvcs where ctid = any (array(select ctid from vault_cvcs where expires_at <= now() limit ${rowsPerStep}
                                                        for update skip locked)) returning 1)
       select count(*) as rows from gone`,
      [],
    );
    swept += step!.rows;
    if (step!.rows < rowsPerStep) return swept;
  }
}

/** Ends a statement that has named secrets by tenant and id under this name: they are destroyed with whatever else it does. */
export function destroySecretsSql(named: string): string {
  return `delete from vault_secrets s using ${named} n where s.tenant = n.tenant and s.id = n.id`;
}
