import { type Pool, query } from '../base/sql.ts';

const rowsPerStep = 5_000; // small steps: no long locks

/** Deletes expired security codes and returns how many. Any number of servers may do so at the same time. */
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

/** The end of a statement whose CTE of this name lists secrets by tenant and id: the secrets are destroyed in that statement. */
export function destroySecretsSql(named: string): string {
  return `delete from vault_secrets s using ${named} n where s.tenant = n.tenant and s.id = n.id`;
}
