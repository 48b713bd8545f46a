import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places, shareOf } from '../../../test/torture.ts';
import { booksOf } from '../refunds/refunds.fixture.ts';
import { type Court, fraudulentCard, lost, openCourt, reversed, taken } from './disputes.fixture.ts';

const rounds = shareOf(8, 2);

describe.each(places)('two instances, and a simulator that is %s', (place) => {
  let court: Court;
  let other: TestServer;
  let clients: [Client, Client];

  beforeAll(async () => {
    court = await openCourt(place);
    const environment = { SIMULATOR: place };
    other = await startServer({ clock: court.clock, environment, databaseUrl: court.server.databaseUrl });
    clients = [court.account.test, other.client(court.account.testKey)];
  });
  afterAll(async () => {
    await other.stop();
    await court.stop();
  });

  const hear = () => court.settled();

  /** Again after a 429. */
  async function post(at: number, path: string, body: object) {
    for (;;) {
      const answer = await clients[at % 2]!.post(path, body);
      if (answer.status !== 429) return answer;
    }
  }

  test('the same notice, handled by both: one dispute, one movement of money, one event', async () => {
    const payments = await Promise.all(Array.from({ length: rounds }, () => court.paid(fraudulentCard)));
    await hear();
    for (const { id } of payments) {
      const disputes = await court.sql('select id from disputes where payment = $1', [id]);
      expect(disputes).toHaveLength(1);
      expect((await court.read(id)).json.dispute).toBe(disputes[0].id);
      expect(await court.postings(disputes[0].id)).toEqual([taken]);
      expect(await court.told(disputes[0].id)).toHaveLength(1);
    }
  });

  test('a concession and a verdict at the same moment: one of them ends the dispute, and the processor agrees', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id, payment } = await court.disputed();
      const path = `/v1/disputes/${id}`;
      await post(round, path, { evidence: { receipt: 'winning_evidence' }, submit: true });
      const [closed] = await Promise.all([post(round + 1, `${path}/close`, {}), hear()]);
      await hear();
      const { status } = await court.get(id);
      expect([closed.status, closed.json.error?.code ?? closed.json.status]).toEqual(
        status === 'lost' ? [200, 'lost'] : [400, 'dispute_closed'],
      );
      expect(await court.postings(id)).toEqual([taken, status === 'lost' ? lost : reversed]);
      const types = (await court.told(id)).map(({ type }) => type);
      expect(types.filter((type) => type === 'dispute.closed')).toHaveLength(1);
      expect(await court.charges(payment)).toMatchObject([{ net: status === 'lost' ? 0 : 2000 }]);
    }
  });

  test('a refund, and a dispute at the same moment: both are recorded, and the sums are right', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id } = await court.paid(fraudulentCard);
      const refunding = post(round, '/v1/refunds', { payment: id, amount: 500 });
      const [refund] = await Promise.all([refunding, hear()]);
      await hear();
      const { dispute, amount_refunded } = (await court.read(id)).json;
      const { amount, status } = await court.get(dispute);
      const isRefunded = refund.status === 200 && refund.json.status === 'succeeded';
      if (!isRefunded)
        expect(refund.json.error?.code ?? refund.json.failure_reason).toMatch(/^(payment_disputed|charge_disputed)$/);
      expect([amount, status, amount_refunded ?? 0]).toEqual(
        isRefunded ? [1500, 'needs_response', 500] : [2000, 'needs_response', 0],
      );
      const processor = isRefunded ? 1500 : 2000;
      expect(await booksOf(court, id)).toEqual({ processor, balance: 0, disputed: -processor });
    }
  });

  test('many concurrent submissions of evidence: none is lost, and each is submitted once', async () => {
    const { id } = await court.disputed();
    const fields = ['receipt', 'service_date', 'customer_name', 'shipping_date', 'refund_policy', 'billing_address'];
    const answers = await Promise.all(
      fields.map((name, at) => post(at, `/v1/disputes/${id}`, { evidence: { [name]: name }, submit: at < 3 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const { evidence, evidence_details } = await court.get(id);
    expect(evidence).toEqual(Object.fromEntries(fields.map((name) => [name, name])));
    expect(evidence_details.submission_count).toBe(3);
    expect((await court.words(id)).map(({ state }) => state)).toEqual(Array(3).fill('approved'));
  });

  test('many concurrent concessions: one is made', async () => {
    const { id } = await court.disputed();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => post(at, `/v1/disputes/${id}/close`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect(await court.postings(id)).toEqual([taken, lost]);
  });

  test('the books agree', async () => {
    await hear();
    expect(await violationsOf(court.server.sql, { rest: true })).toEqual([]);
    const [...loud] = [...court.server.logged, ...other.logged].filter((line) => /"level":"(error|fatal)"/.test(line));
    expect(loud).toEqual([]);
  });
});
