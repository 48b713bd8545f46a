import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import { places } from '../../test/torture.ts';
import type { AttemptId, Notice } from '../contract.ts';
import { cvc, newAttempt, openWorld, type Processor, type World } from '../processor.fixture.ts';

const fraudulent = '4000000000000259';
const notReceived = '4000000000002685';
const dayMs = 24 * 3_600_000;
const evidenceMs = 7 * dayMs;

type Opened = Extract<Notice, { kind: 'dispute_opened' }>;

describe.each(places)('a simulator that is %s', (place) => {
  const name = `simulator, ${place}` as const;
  const clock = virtualClock(1_800_000_000_000);
  let world: World;
  let processor: Processor;
  beforeAll(async () => {
    world = await openWorld(name, clock);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    processor = world.processor();
  });

  const charge = async (of?: AttemptId) =>
    (await processor.charges()).find((one) => of === undefined || one.attempt === of);
  const verbsOf = async () => {
    const entries = await processor.entries();
    return entries.sort((a, b) => Number(a.sequence) - Number(b.sequence)).map(({ verb }) => verb);
  };

  /** A dispute that the gateway has acknowledged. */
  async function open(): Promise<{ of: AttemptId; dispute: string; dueBy: number }> {
    clock.advance(1); // so that the order by time is unique
    const { attempt: of } = await processor.authorize({ number: fraudulent });
    const notices = await processor.notices();
    await processor.acknowledge(notices);
    const { dispute, dueBy } = notices.find(
      (one) => one.kind === 'dispute_opened' && one.authorization === of,
    ) as Opened;
    return { of, dispute, dueBy };
  }
  const contest = (dispute: string, text: string) =>
    processor.contest({ dispute, evidence: { customer_name: 'Jane', uncategorized_text: text } });

  test.each([
    [fraudulent, 'fraudulent'],
    [notReceived, 'product_not_received'],
  ])('card %s: a dispute, %s, once the money was captured', async (number, reason) => {
    const { attempt } = await processor.authorize({ number, capture: false });
    clock.advance(dayMs);
    expect(await processor.notices()).toEqual([]);
    expect((await processor.capture({ of: attempt, amount: 1_001 })).outcome.kind).toBe('declined');
    expect(await processor.news()).toEqual([]);
    await processor.capture({ of: attempt, amount: 600 });
    const notice = {
      id: expect.any(String),
      tenant: processor.tenant,
      kind: 'dispute_opened',
      dispute: `sim_dp_${attempt.slice(4)}`,
      authorization: attempt,
      money: { amount: 600, currency: 'eur' },
      reason,
      dueBy: clock.now() + evidenceMs,
    };
    const first = await processor.notices();
    expect(first).toEqual([notice]);
    clock.advance(dayMs); // the notice stays the same
    expect(await processor.notices()).toEqual(first);
    expect(await charge()).toMatchObject({ captured: 600, disputed: 600, net: 0 });
  });

  test('a refunded amount is not disputed; a charge that was refunded in full has no dispute', async () => {
    const { attempt: of } = await processor.authorize({ number: fraudulent });
    await processor.refund({ of, amount: 400 });
    expect(await processor.notices()).toMatchObject([{ money: { amount: 600 } }]);
    const { attempt: other } = await processor.authorize({ number: fraudulent });
    await processor.refund({ of: other });
    expect(await processor.notices()).toHaveLength(1);
    expect(await charge(other)).toMatchObject({ refunded: 1_000, disputed: 0, net: 0 });
    const news = (await processor.news()).filter(({ attempt }) => attempt === other);
    expect(news).toMatchObject([{ kind: 'dispute', told_at: new Date(clock.now()) }]);
  });

  test('a canceled charge is not disputed', async () => {
    const { attempt: of } = await processor.authorize({ number: fraudulent });
    await processor.cancel({ of });
    expect(await processor.notices()).toEqual([]);
    expect(await charge()).toMatchObject({ disputed: 0, net: 0 });
  });

  test('news without a notice does not count towards the limit', async () => {
    const tell = (limit: number) => processor.connector.notices!({ now: clock.now(), limit });
    clock.advance(1);
    const older = (await tell(1_000)).length;
    for (let times = 0; times < 5; times++) {
      const { attempt: of } = await processor.authorize({ number: fraudulent });
      await processor.refund({ of });
      clock.advance(1);
    }
    const { attempt } = await processor.authorize({ number: fraudulent });
    expect((await tell(older + 1)).at(-1)).toMatchObject({ authorization: attempt });
    expect((await processor.news()).filter((one) => one.told_at !== null)).toHaveLength(5);
  });

  test('without evidence a dispute is lost at the deadline, and reported until it is acknowledged', async () => {
    const { dispute, dueBy } = await open();
    clock.advance(dueBy - clock.now() - 1);
    expect(await processor.notices()).toEqual([]);
    clock.advance(1);
    const told = await processor.notices();
    expect(told).toMatchObject([{ kind: 'dispute_closed', dispute, result: 'lost' }]);
    clock.advance(dayMs);
    expect(await processor.notices()).toEqual(told);
    await processor.acknowledge(told);
    expect(await processor.notices()).toEqual([]);
    expect(await charge()).toMatchObject({ disputed: 1_000, net: 0 });
    expect((await contest(dispute, 'winning_evidence')).outcome).toMatchObject({ declineCode: 'dispute_closed' });
    expect((await processor.concede({ dispute })).outcome).toMatchObject({ declineCode: 'dispute_closed' });
  });

  test('evidence is accepted until the deadline, and not after it', async () => {
    const [early, late] = [await open(), await open()];
    clock.advance(early.dueBy - clock.now());
    expect((await contest(early.dispute, 'a letter')).outcome.kind).toBe('approved');
    clock.advance(late.dueBy - clock.now() + 1);
    const { outcome } = await contest(late.dispute, 'winning_evidence');
    expect(outcome).toMatchObject({ kind: 'declined', code: 'processing_error', declineCode: 'evidence_late' });
    expect(outcome).toMatchObject({ message: expect.stringMatching(/\.$/) });
    expect(await processor.notices()).toMatchObject([
      { kind: 'dispute_closed', dispute: late.dispute, result: 'lost' },
    ]);
  });

  test.each([
    ['winning_evidence', 'won', 0, 1_000],
    ['See: losing_evidence, page 2', 'lost', 1_000, 0],
    ['losing_evidence and winning_evidence', 'won', 0, 1_000],
  ] as const)('evidence that says "%s": %s', async (text, result, disputed, net) => {
    const { of, dispute, dueBy } = await open();
    await contest(dispute, text);
    expect(await charge()).toMatchObject({ disputed: 1_000, net: 0 }); // not before it is reported
    const told = await processor.notices();
    expect(told).toMatchObject([{ kind: 'dispute_closed', dispute, result }]);
    expect(await processor.notices()).toEqual(told);
    await processor.acknowledge(told);
    clock.advance(dueBy - clock.now()); // the deadline no longer matters
    expect(await processor.notices()).toEqual([]);
    expect(await charge()).toMatchObject({ disputed, net });
    expect((await processor.refund({ of })).outcome.kind).toBe(result === 'won' ? 'approved' : 'declined');
  });

  test('other evidence leaves a dispute under review, even past the deadline, until more arrives or it is conceded', async () => {
    const [one, other] = [await open(), await open()];
    for (const { dispute } of [one, other]) expect((await contest(dispute, 'a letter')).outcome.kind).toBe('approved');
    expect((await contest(one.dispute, 'winning_evidence')).outcome.kind).toBe('approved');
    expect(await processor.notices()).toMatchObject([{ dispute: one.dispute, result: 'won' }]);
    await processor.acknowledge(await processor.notices());
    clock.advance(evidenceMs + dayMs);
    expect(await processor.notices()).toEqual([]);
    expect(await charge(other.of)).toMatchObject({ disputed: 1_000, net: 0 });
    expect((await processor.concede({ dispute: other.dispute })).outcome.kind).toBe('approved');
    expect(await processor.notices()).toEqual([]);
    expect(await charge(other.of)).toMatchObject({ disputed: 1_000, net: 0 });
  });

  test('of two contradictory pieces of evidence, the first counts, and the result is reported once', async () => {
    const { dispute } = await open();
    await contest(dispute, 'losing_evidence');
    clock.advance(1);
    await contest(dispute, 'winning_evidence');
    expect(await processor.notices()).toMatchObject([{ kind: 'dispute_closed', result: 'lost' }]);
    expect(await verbsOf()).toEqual(['authorize', 'dispute', 'contest', 'contest', 'close']);
  });

  test('a conceded dispute is lost without a notice, whatever the evidence said', async () => {
    const { dispute, dueBy } = await open();
    await contest(dispute, 'winning_evidence');
    expect((await processor.concede({ dispute })).outcome.kind).toBe('approved');
    expect(await processor.notices()).toEqual([]);
    clock.advance(dueBy - clock.now());
    expect(await processor.notices()).toEqual([]);
    expect(await charge()).toMatchObject({ disputed: 1_000, net: 0 });
    expect(await verbsOf()).toEqual(['authorize', 'dispute', 'contest', 'concede']);
    expect((await processor.news()).filter((one) => one.told_at === null)).toEqual([]);
  });

  test('the statement lists a won dispute as taken and given back, a lost one as taken', async () => {
    const [won, lost, conceded] = [await open(), await open(), await open()];
    clock.advance(1);
    await contest(won.dispute, 'winning_evidence');
    await contest(lost.dispute, 'losing_evidence');
    await processor.concede({ dispute: conceded.dispute });
    expect(await processor.notices()).toHaveLength(2);
    const lines = (await processor.statement()).map(({ kind, reference }) => [kind, reference]);
    expect(lines.filter(([kind]) => kind === 'dispute')).toHaveLength(3);
    expect(lines.filter(([kind]) => kind !== 'dispute').slice(-2)).toEqual([
      ['payment', conceded.of],
      ['dispute_reversal', won.dispute],
    ]);
  });

  test('a hundred concurrent refunds and a dispute take exactly the captured amount together', async () => {
    const { attempt: of } = await processor.authorize({ number: fraudulent });
    // Within one instance of the gateway, changes of one payment queue; a few instances still race.
    const lanes = name === 'simulator, local' ? 5 : 100;
    const { promise: some, resolve } = Promise.withResolvers<void>();
    let answered = 0;
    const lane = async () => {
      const told: string[] = [];
      for (let times = 0; times < 100 / lanes; times++) {
        told.push((await processor.refund({ of, amount: 3 })).outcome.kind);
        if (++answered === 10) resolve();
      }
      return told;
    };
    const [notices, again, ...told] = await Promise.all([
      some.then(() => processor.notices()),
      some.then(() => processor.notices()),
      ...Array.from({ length: lanes }, lane),
    ]);
    const refunded = told.flat().filter((kind) => kind === 'approved').length * 3;
    expect(told.flat()).toHaveLength(100);
    expect(refunded).toBeGreaterThanOrEqual(30);
    expect(notices).toEqual(again);
    expect(notices).toMatchObject([{ kind: 'dispute_opened', money: { amount: 1_000 - refunded } }]);
    expect(await charge()).toMatchObject({ refunded, disputed: 1_000 - refunded, net: 0 });
  });

  test.each(['winning_evidence', 'losing_evidence'])(
    'of a concession and a verdict (%s) that race, one ends the dispute',
    async (text) => {
      for (let round = 0; round < 10; round++) {
        const { of, dispute } = await open();
        await contest(dispute, text);
        const [{ outcome }, told] = await Promise.all([processor.concede({ dispute }), processor.notices()]);
        const closed = told.filter((one) => one.kind === 'dispute_closed');
        expect(closed).toHaveLength(outcome.kind === 'approved' ? 0 : 1);
        const isWon = closed[0]?.result === 'won';
        expect(isWon).toBe(outcome.kind === 'declined' && text === 'winning_evidence');
        expect(await charge(of)).toMatchObject({ net: isWon ? 1_000 : 0 });
        await processor.acknowledge(told);
      }
    },
  );

  test('of evidence and the deadline that race, either the evidence counts or the dispute is lost', async () => {
    for (let round = 0; round < 10; round++) {
      const { dispute, dueBy } = await open();
      clock.advance(dueBy - clock.now());
      const [{ outcome }, told] = await Promise.all([contest(dispute, 'a letter'), processor.notices()]);
      expect(told).toHaveLength(outcome.kind === 'approved' ? 0 : 1);
      await processor.acknowledge(told);
    }
  });

  test('concurrent polls get the same notice, and the dispute is opened once', async () => {
    for (let times = 0; times < 5; times++) await processor.authorize({ number: fraudulent });
    const told = await Promise.all(Array.from({ length: 8 }, () => processor.notices()));
    expect(told[0]).toHaveLength(5);
    for (const one of told) expect(one).toEqual(told[0]);
    expect((await verbsOf()).filter((verb) => verb === 'dispute')).toHaveLength(5);
    expect((await processor.news()).filter(({ kind }) => kind === 'deadline')).toHaveLength(5);
  });

  test('no row contains anything of the card or the evidence', async () => {
    const { dispute } = await open();
    await contest(dispute, 'winning_evidence for Jane');
    await processor.notices();
    const kept = JSON.stringify([await processor.entries(), await processor.news()]);
    for (const secret of [fraudulent, cvc, 'Jane']) expect(kept).not.toContain(secret);
  });

  test('a pending refund is reported as succeeded two seconds later', async () => {
    const { attempt: of } = await processor.authorize({ number: '4000000000007726' });
    clock.advance(1);
    const { attempt, outcome } = await processor.refund({ of, amount: 400 });
    expect(outcome.kind).toBe('pending');
    expect((await processor.refund({ of, amount: 700 })).outcome.kind).toBe('declined');
    clock.advance(1_999);
    expect(await processor.notices()).toEqual([]);
    clock.advance(1);
    const settled = { kind: 'refund_settled', attempt, outcome: { kind: 'approved' }, tenant: processor.tenant };
    const told = await processor.notices();
    expect(told).toMatchObject([settled]);
    expect(await processor.notices()).toEqual(told);
    expect((told[0] as { outcome: object }).outcome).toEqual((await processor.find(attempt, 'refund')).outcome);
    await processor.acknowledge(told);
    expect(await processor.notices()).toEqual([]);
    expect(await processor.statement()).toMatchObject([{ kind: 'payment' }, { kind: 'refund', reference: attempt }]);
  });

  test('a refund that bounces is reported as failed, is never in the statement, and can be made again', async () => {
    const { attempt: of } = await processor.authorize({ number: '4000000000005126' });
    const first = await processor.refund({ of });
    clock.advance(1);
    const refunds = [first, await processor.refund({ of })];
    expect(refunds.map(({ outcome }) => outcome.kind)).toEqual(['approved', 'approved']);
    const told = await processor.notices();
    const outcome = { kind: 'declined', code: 'processing_error', declineCode: 'refund_bounced' };
    const order = refunds.map(({ attempt }) => ({ kind: 'refund_settled', attempt, outcome }));
    expect(told).toMatchObject(order);
    for (const { attempt } of refunds) expect((await processor.find(attempt, 'refund')).outcome).toMatchObject(outcome);
    await processor.acknowledge(told.slice(0, 1));
    expect(await processor.notices()).toEqual(told.slice(1));
    expect(await processor.statement()).toMatchObject([{ kind: 'payment', reference: of }]);
    expect(await charge()).toMatchObject({ refunded: 0, net: 1_000 });
  });

  test('a refused refund is answered immediately and never reported', async () => {
    for (const number of ['4000000000007726', '4000000000005126']) {
      const { attempt: of } = await processor.authorize({ number });
      expect((await processor.refund({ of, amount: 1_001 })).outcome.kind).toBe('declined');
    }
    expect(await processor.news()).toEqual([]);
  });

  test('repeated attempts lead to no further news', async () => {
    const { attempt: of } = await processor.authorize({ number: '4000000000005126' });
    const attempt = newAttempt();
    for (let times = 0; times < 3; times++) await processor.refund({ of, attempt });
    expect(await processor.news()).toHaveLength(1);
  });

  test('a charge that the cardholder approved is in the statement under its authorization, at the time of the approval', async () => {
    const { attempt, outcome } = await processor.authorize({ number: '4000000000003220' });
    const { url } = outcome as { url: string };
    expect(await processor.statement()).toEqual([]);
    clock.advance(dayMs);
    await processor.challenges.decide(url.slice(url.lastIndexOf('/') + 1), 'approve');
    const at = new Date(clock.now());
    expect(await processor.statement()).toMatchObject([{ kind: 'payment', reference: attempt, at }]);
  });
});

test('faults apply to evidence and concessions as to every other call', async () => {
  const world = await openWorld('simulator, remote');
  const processor = world.processor();
  await processor.authorize({ number: fraudulent });
  const [{ dispute }] = (await processor.notices()) as [Opened];
  const script = (verb: string, kind: string) =>
    processor.sql.query('insert into simulator_faults (tenant, verb, kind) values ($1, $2, $3)', [
      processor.tenant,
      verb,
      kind,
    ]);
  await script('contest', 'lose_request');
  await script('contest', 'twice');
  await script('concede', 'lose_reply');
  const attempt = newAttempt();
  await expect(processor.contest({ dispute, attempt })).rejects.toThrow('ECONNRESET');
  expect((await processor.find(attempt, 'contest')).outcome.kind).toBe('not_found');
  expect((await processor.contest({ dispute, attempt })).outcome.kind).toBe('approved');
  const given = newAttempt();
  await expect(processor.concede({ dispute, attempt: given })).rejects.toThrow('ECONNRESET');
  expect((await processor.find(given, 'concede')).outcome.kind).toBe('approved');
  expect((await processor.entries()).map(({ verb }) => verb)).toHaveLength(4);
  await world.stop();
});

test('a statement of many pages has every line once, in order', async () => {
  const world = await openWorld('simulator, remote');
  const { sql, connector } = world.processor();
  // Many at the same moment, of several tenants, so that a page ends between them.
  await sql.query(
    `insert into simulator_entries (tenant, attempt, authorization_attempt, verb, sequence, payment, amount, currency, captures,
            result, reference, at)
     select 1 + n % 3, 'att_' || n, 'att_' || n, 'authorize', 0, 'pay', n, 'eur', true, 'approved', 'sim_' || n,
            '2026-01-01'::timestamptz + (n / 700) * interval '1 second'
       from generate_series(1, 2500) as n`,
  );
  const pages: number[] = [];
  const amounts: number[] = [];
  const times: number[] = [];
  for await (const page of connector.statement!({ from: new Date(0), to: new Date('2026-01-02') })) {
    pages.push(page.length);
    for (const { money, at } of page) {
      amounts.push(money.amount);
      times.push(at.getTime());
    }
  }
  expect(pages).toEqual([1_000, 1_000, 500]);
  expect(amounts.sort((a, b) => a - b)).toEqual(Array.from({ length: 2_500 }, (_, at) => at + 1));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  await world.stop();
});
