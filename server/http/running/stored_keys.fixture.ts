import type { TestServer } from '../../test/harness.ts';
import { hashedKey } from './idempotency.ts';

/** The forms in which the tenants of a server store a key. */
export async function storedForms({ sql, gateway }: TestServer, key: string): Promise<string[]> {
  const { rows } = await sql.query('select tenant from tenants');
  return rows.map(({ tenant }) => hashedKey(gateway.keyring, tenant, key));
}
