import { afterEach, expect, test, vi } from 'vitest';
import { connect, openPool } from './sql.ts';

afterEach(() => void vi.restoreAllMocks());

test.each(['prefer', 'require', 'verify-ca'])('sslmode=%s is strict, without a warning of the driver', async (mode) => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const address = { connectionString: `postgres://user@127.0.0.1:1/tollgate?sslmode=${mode}&application_name=x` };
  await expect(connect(address, 'test')).rejects.toThrow('ECONNREFUSED');
  const pool = openPool(address, { use: 'reads', connectionsMax: 1, onError: () => {} });
  await expect(pool.query('select 1')).rejects.toThrow('ECONNREFUSED');
  await pool.end();
  expect(warned).not.toHaveBeenCalled();
});
