import { loadavg } from 'node:os';
import type { Page as Tab } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { base62 } from '../../server/base/id.ts';
import { operatorPatience } from '../../server/base/patient_client.ts';
import { connect } from '../../server/base/sql.ts';
import { isTorture } from '../../server/test/torture.ts';
import { type Fixture, go, openDashboard } from './fixture.ts';

const many = 1_000_000;
const rowsOnPage = 25;
const [one, other] = ['cus_0000000000000000000001', 'cus_0000000000000000000002'];

/** From January 2025 on, one every 20 seconds, in one account. */
async function addPayments({ server, account }: Fixture): Promise<void> {
  const sql = await connect({ connectionString: server.databaseUrl }, 'test', operatorPatience);
  // The time in an id is base62, which the database cannot make: each id has the time of its hundredth, and its number.
  const times = Array.from({ length: 100 }, (_, at) => Date.UTC(2025, 0, 1) + (at * many * 20_000) / 100);
  await sql.query(
    `insert into payments (tenant, id, version, amount, amount_received, currency, customer, payment_method, status, inquiries)
     select (select tenant from tenants where account = $1 and mode = 'test'),
            ($2::text[])[1 + ((n - 1) * 100::int8 / $3)::int] || lpad(n::text, 14, '0'), 1, 100 + n % 9000, 0, 'eur',
            case when n % 2 = 0 then '${one}' else '${other}' end, 'pm_x',
            case when n % 10 < 2 then 'failed' else 'succeeded' end, 0
       from generate_series(1, $3::int8) n`,
    [account.id, times.map((time) => `py_${base62(time, 8)}`), many],
  );
  await sql.query('vacuum analyze payments');
  await sql.end();
}

/** How long it takes until the rows are those that were asked for. It is printed: whether it is quick enough depends on the machine. */
async function timed(what: string, act: () => Promise<unknown>, shown: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  await act();
  await shown();
  const ms = Math.round(performance.now() - from);
  console.log(`measured: ${what}: ${ms} ms (load ${loadavg()[0]!.toFixed(1)})`);
}

async function fullPage(tab: Tab, text = '€'): Promise<void> {
  await tab.locator('table:not([data-stale]):not([aria-busy=true]) tbody').getByText(text).first().waitFor();
  expect(await tab.locator('tbody tr').count()).toBe(rowsOnPage);
}

/** Only in the long form: `list_costs.test.ts` shows in every run that a page costs the same, however many rows there are. */
describe.skipIf(!isTorture)('a list of 1,000,000 payments', () => {
  const dashboard = openDashboard();
  beforeAll(() => addPayments(dashboard), 600_000);

  test('shows its rows, and those of each filter', async () => {
    const tab = await dashboard.open('/settings/account');
    await tab.getByRole('heading', { name: 'Terms' }).waitFor();
    // The part of it that could grow with the rows.
    tab.on('requestfinished', (request) => {
      if (!request.url().includes('/v1/payments')) return;
      const { requestStart, responseEnd } = request.timing();
      console.log(`  of which the request: ${Math.round(responseEnd - requestStart)} ms`);
    });
    const link = tab.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Payments' });
    await timed(
      'the page, from another',
      () => link.click(),
      () => fullPage(tab),
    );
    await timed(
      'the page, loaded again',
      () => tab.reload(),
      () => fullPage(tab),
    );
    const filters: [query: string, text: string][] = [
      ...([
        ['status=failed', 'Failed'],
        ['status=succeeded', 'Succeeded'],
        [`customer=${one}`, one],
      ] as [string, string][]),
      [`status=failed&customer=${one}`, 'Failed'],
      ['created_from=2025-01-02&created_to=2025-02-01', 'Jan'],
      [`status=succeeded&customer=${other}&created_to=2025-03-01`, other],
    ];
    for (const [query, text] of filters)
      await timed(
        query,
        () => go(tab, `/payments?${query}`),
        () => fullPage(tab, text),
      );
    await timed(
      'the next page',
      () => tab.getByRole('button', { name: 'Older' }).click(),
      () => fullPage(tab, other),
    );
    await timed(
      'nothing fits',
      () => go(tab, `/payments?status=canceled&customer=${other}`),
      () => tab.getByText('No results match these filters').waitFor(),
    );
  }, 600_000);
});
