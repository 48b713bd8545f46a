import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numbers } from '../../../test/numbers.ts';
import { isTorture, seed, shareOf } from '../../../test/torture.ts';
import { Storm, type StormPlace } from './storm.fixture.ts';

/**
 * Whatever customers, the shop and the processor do at the same moment, over two instances: at most one payment of a session, or of an
 * invoice, succeeds. Chance chooses the acts; the invariants say what must hold after each wave, and once all is over.
 */
const minute = 60_000;
const sessionsAtOnce = 6;
const actsAtOnce = 12;
const wavesPerRound = 3;
const rounds: Record<StormPlace, number> = { local: 60, remote: shareOf(120, 3), stripe: shareOf(80, 2) };
const places: readonly StormPlace[] = isTorture ? ['local', 'remote', 'stripe'] : ['remote', 'stripe'];

describe.each(places)(
  'presses, closings, coupons, expiries and answers at once, at a processor that is %s',
  (place) => {
    const storm = new Storm(place, numbers(seed));
    beforeAll(() => storm.open());
    afterAll(() => storm.close());

    test(`in ${rounds[place]} rounds; TEST_SEED=${seed}`, async () => {
      for (let round = 0; round < rounds[place]; round++) {
        const sessions = await Promise.all(Array.from({ length: sessionsAtOnce }, () => storm.newSession()));
        if (round % 2 === 1) storm.trouble();
        for (let wave = 0; wave < wavesPerRound; wave++) {
          await Promise.all(Array.from({ length: actsAtOnce }, () => storm.act(storm.pick(sessions))));
          expect(await storm.violations(false), `wave ${wave} of round ${round}`).toEqual([]);
          await storm.pass(storm.pick([1_000, 10_000, minute]));
        }
        storm.calm();
        // The rules are planned once, for as many rows as there were then.
        if (round % 10 === 9) await storm.sql.query('analyze');
        if (round % 2 === 0) for (const session of sessions) await storm.decide(session);
      }
      // Whatever waits is over after its time, which is a day for sessions of invoices.
      for (const hours of [1, 1, 1, 1, 24]) await storm.pass(hours * 60 * minute);
      for (let looks = 0; looks < 10; looks++) await storm.pass(minute);
      expect(await storm.violations(true)).toEqual([]);
      const ends = await storm.sql.query(
        'select mode, status, payment_status, count(*)::int4 as n from checkout_sessions group by 1, 2, 3 order by 1, 2, 3',
      );
      const ended = ends.rows.map((row) => Object.values(row).join(' '));
      console.info(JSON.stringify({ place, seed, acts: storm.counts, ended }));
      expect(ended.filter((text) => /open|processing/.test(text))).toEqual([]);
    });
  },
);
