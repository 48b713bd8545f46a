import type { Mode, Reads, Tenant } from '../../base/reads.ts';

/** The table of all tenants, for statements that go through every tenant's part of another table. */
export const tenantsTable = 'tenants';

export async function modeOf(reads: Reads, tenant: Tenant): Promise<Mode> {
  const [row] = await reads.rows<{ mode: Mode }>('select mode from tenants where tenant = $1', [tenant]);
  return row!.mode;
}
