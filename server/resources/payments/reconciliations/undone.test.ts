import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { oneConnection } from '../../../base/places/connections.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { StatementLine } from '../../../connectors/contract.ts';
import { dayOf } from '../../../ledger/posting.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { reconcileDay } from './reconcile.ts';

const dayMs = 86_400_000;
const noon = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2;
const source = { connector: 'simulator', processor_account: null };
const money = { amount: 700, currency: 'eur' };
let server: TestServer;
let tenant: Tenant;

beforeAll(async () => {
  server = await startServer();
  const { id } = await server.account();
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [id]);
  tenant = rows[0].tenant;
});
afterAll(() => server.stop());

/** A payment that failed, whose authorization was reversed. */
async function undone(): Promise<{ authorization: string; reversal: string }> {
  const [payment, authorization, reversal] = [newId('py', noon), newId('att', noon), newId('att', noon + 1)];
  await server.sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries)
     values ($1, $2, 1, 700, 0, 'eur', 'pm_1', 'failed', 0)`,
    [tenant, payment],
  );
  for (const [id, verb, state] of [
    [authorization, 'authorize', 'lost'],
    [reversal, 'reverse', 'approved'],
  ])
    await server.sql.query(
      `insert into attempts (tenant, id, version, payment, verb, state, connector, deadline_at)
       values ($1, $2, 1, $3, $4, $5, 'simulator', now())`,
      [tenant, id, payment, verb, state],
    );
  return { authorization, reversal };
}

async function compared(lines: Omit<StatementLine, 'tenant' | 'money'>[]) {
  async function* statement({ from, to }: { from: Date; to: Date }) {
    yield lines.filter(({ at }) => at >= from && at < to).map((line) => ({ ...line, tenant, money }));
  }
  const found = await reconcileDay(oneConnection(server.sql), { source, statement, date: dayOf(noon) });
  return { matched: found.matched, missing: found.differences.map(({ what, line }) => [what, line.reference]) };
}

test.each([
  ['on the same day', 0],
  ['on the next day', dayMs],
])('an approval that was undone %s is no difference', async (_, later) => {
  const { authorization, reversal } = await undone();
  const lines = [
    { kind: 'payment', reference: authorization, at: new Date(noon) },
    { kind: 'refund', reference: reversal, at: new Date(noon + later) },
  ] as const;
  expect(await compared([...lines])).toEqual({ matched: later === 0 ? 2 : 1, missing: [] });
});

test.each(['payment', 'refund'] as const)('the %s of an undone approval alone is a difference', async (kind) => {
  const { authorization, reversal } = await undone();
  const reference = kind === 'payment' ? authorization : reversal;
  expect(await compared([{ kind, reference, at: new Date(noon) }])).toEqual({
    matched: 0,
    missing: [['missing_in_ledger', reference]],
  });
});

test('planted differences in what the processor has booked are found, on the day alone', async () => {
  const at = new Date(noon);
  const [right, wrong] = [
    { gross: -700, fee: 0, net: -700 },
    { gross: 700, fee: 0, net: 699 },
  ];
  const lines = [
    { kind: 'payout', reference: 'po_right', at, ...right },
    { kind: 'release', reference: 're_right', at, ...right },
    { kind: 'release', reference: 're_wrong', at, ...wrong },
    { kind: 'release', reference: 're_later', at: new Date(noon + dayMs), ...wrong },
  ] as const;
  expect(await compared([...lines])).toEqual({
    matched: 0,
    missing: [
      ['gross_differs', 're_wrong'],
      ['net_differs', 're_wrong'],
    ],
  });
});
