import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { connect } from '../../base/sql.ts';
import type { FakeEffect } from '../../fakes/stripe/world.ts';
import { createDatabase } from '../harness.ts';
import { numbers } from '../numbers.ts';
import { doubled } from '../stripe_books.ts';
import { isTorture, seed } from '../torture.ts';
import { testMs } from './child.ts';
import { Children } from './children.ts';
import { KillRun } from './kill_run.ts';
import { KilledStripe } from './killed_stripe.ts';

vi.setConfig({ testTimeout: testMs });

/** Enough that a kill hits more than one request. */
const clients = 3;
const kills = 2; // one at a random time, one at a chosen point; a step of `npm run torture` has 400
const children = new Children();
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  await children.cleanUp();
  for (const close of closers.reverse()) await close();
});

test.runIf(isTorture)(
  'payments through Stripe survive kills and faults: nothing is lost, doubled or left open, and the books agree',
  async () => {
    const { url, address, drop } = await createDatabase();
    closers.push(drop);
    const sql = children.keep(await connect(address, 'test'));
    const home = children.directory();
    const environment = children.serveEnvironment({ DATABASE_URL: url, CRASH_DIR: join(home, 'crashes') });
    mkdirSync(environment.CRASH_DIR!);
    const caFile = join(inject('certificateDir'), 'ca.pem');
    const before = { children, sql, environment, caFile, ca: readFileSync(caFile, 'utf8'), home };
    const { place, processor } = await KilledStripe.start(before);
    closers.push(() => processor.close());
    const run = new KillRun(place, processor, numbers(seed), clients);
    await run.go(kills);
    expect(run.violations, `TEST_SEED=${seed}`).toEqual([]);
    expect(run.counts['killed in all']).toBeGreaterThanOrEqual(kills);
    expect(run.counts.charges).toBeGreaterThan(0);
  },
);

function effect(kind: FakeEffect['kind'], id: string, metadata: FakeEffect['metadata']): FakeEffect {
  const facts = { amount: 1, currency: 'usd', idempotency_key: null, created: 0, payment_intent: 'pi_1' };
  return { kind, id, ...facts, metadata: { tollgate_payment: 'py_1', ...metadata } };
}

const one = effect('charge', 'ch_1', { tollgate_attempt: 'att_1' });
const again = effect('charge', 'ch_2', { tollgate_attempt: 'att_1' });
const elsewhere = effect('charge', 'ch_3', { tollgate_attempt: 'att_2' });
const declined = effect('decline', 'ch_4', { tollgate_attempt: 'att_3' });
const page = { tollgate_attempt: 'att_4', tollgate_method: 'page' };
const onPage = [effect('decline', 'ch_5', page), effect('decline', 'ch_6', page), effect('charge', 'ch_7', page)];
const twiceOnPage = [...onPage, effect('charge', 'ch_8', page)];
const nobodys = effect('refund', 're_1', {});

test.each<[string, FakeEffect[][], string[]]>([
  ['one effect', [[one], []], []],
  ['a decline at one, and a charge at the other', [[declined], [one]], []],
  ['two effects of one attempt', [[one, again], []], ['att_1 has effects at Stripe: charge ch_1, charge ch_2']],
  ['two cards that were declined on a page, and one that paid', [onPage, []], []],
  ['two that paid', [twiceOnPage, []], ['att_4 has effects at Stripe: charge ch_7, charge ch_8']],
  ['effects at both', [[one], [elsewhere]], ['py_1 has effects at both processors']],
  ['an effect that names no attempt', [[nobodys], []], ['no attempt has effects at Stripe: refund re_1']],
])('the comparison with the books of Stripe: %s', (_what, books, found) => {
  expect(doubled(books)).toEqual(found);
});
