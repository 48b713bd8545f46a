import { expect, test } from 'vitest';
import { onePool } from '../../../base/places/sql_at.ts';
import { MailPlaces } from './places.ts';

const minuteMs = 60_000;

test('a place that is given back while others are asked for is not lost', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let used = 0;
  const durable = {
    async query({ values: [, wanted] }: { values: [Date, number] }) {
      used += wanted;
      const rows = [{ used }];
      if (used > 2) {
        asked.resolve();
        await answer.promise;
      }
      return { rows };
    },
  };
  const services = {
    durable: onePool(durable as never),
    clock: { now: () => minuteMs },
    mail: { perMinute: 2 },
    onDue() {},
  };
  const places = new MailPlaces(services as never);

  const first = await places.take(2);
  expect(first.count).toBe(2);
  const more = places.take(3);
  await asked.promise;
  places.giveBack(first.minute);
  answer.resolve();
  expect((await more).count).toBe(1);
  expect(places.areTaken).toBe(true);
  places.giveBack(first.minute);
  expect(places.areTaken).toBe(false);
  expect((await places.take(2)).count).toBe(1);
});
