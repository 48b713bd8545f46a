import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerWorld, other, type World } from './ledger.fixture.ts';

let world: World;
beforeAll(async () => {
  world = await ledgerWorld();
});
afterAll(() => world.stop());

test('the database refuses a second posting of the same kind and source', async () => {
  const refund = { kind: 'refund', source: 're_1' } as const;
  await world.post(refund);
  await expect(world.post({ ...refund, amount: 7, currency: 'usd', on: '2027-01-11' })).rejects.toMatchObject({
    ...{ code: '23505', constraint: 'postings_once' },
  });
  await world.post({ ...refund, kind: 'refund_settled' });
  await world.post({ ...refund, tenant: other });
});
