import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Committer } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { AttemptId, Notice } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { type TestServices, testServices } from '../attempts/jobs.fixture.ts';
import { businessRules } from '../balance/rules.ts';
import { type Court, dayMs, deadlineMs, lost, openCourt, reversed, taken } from './disputes.fixture.ts';
import { DisputeJobs } from './jobs.ts';
import { missingOfDisputes } from './missing.ts';

type Opened = Extract<Notice, { kind: 'dispute_opened' }>;
type Closed = Extract<Notice, { kind: 'dispute_closed' }>;

let court: Court;
let parts: TestServices;
let care: DisputeJobs;

beforeAll(async () => {
  court = await openCourt('remote');
  parts = testServices(court, court.clock);
  care = new DisputeJobs(parts);
});
afterAll(() => court.stop());

let disputes = 0;

/** A notice about a payment with a card that is not disputed by itself. */
async function noticeOf(more: Partial<Opened> = {}): Promise<Opened & { payment: string }> {
  const { id: payment } = await court.paid();
  const [{ tenant, id }] = await court.sql('select tenant, id from attempts where payment = $1', [payment]);
  const about = { tenant, authorization: id as AttemptId, dispute: `theirs ${++disputes}` };
  const money = { amount: 2000, currency: 'usd' };
  const dueBy = court.clock.now() + dayMs;
  return {
    ...{ id: `n${disputes}`, kind: 'dispute_opened', ...about, money, reason: 'general', dueBy },
    payment,
    ...more,
  };
}

const endOf = ({ tenant, dispute }: Opened, result: 'won' | 'lost'): Closed => {
  return { id: `${dispute} ends`, tenant, kind: 'dispute_closed', dispute, result };
};

const disputesOf = async (payment: string) =>
  (await court.account.test.get(`/v1/disputes?payment=${payment}`)).json.data;

/** The errors that were logged during some work. */
async function alarmsOf(work: () => Promise<void>): Promise<string[]> {
  parts.alarms.length = 0;
  await work();
  return parts.alarms.map(({ message }) => message);
}

/** Every commit conflicts. */
const unlucky = () =>
  new DisputeJobs({ ...parts, committer: { commit: async () => 'conflict' } as unknown as Committer });

const unexpected =
  'incident: a processor reports a dispute whose money does not fit the payment; see "tollgate payments unsettled"';

const reviews = async () =>
  (
    await (
      await court.server.person(court.account.id, 'owner')
    ).client.get('/v1/needs_attention?kind=dispute_to_review')
  ).json.data;

/** What the operator does about a dispute whose money does not fit. */
const review = (id: string, parameters: { amount?: number } = {}) =>
  court.server.operator.run<object>('disputes.review', { account: court.account.id, id, parameters });

/** What the ledger should have because of disputes, and has not. */
const violations = async (tenant: Tenant) =>
  (
    await Promise.all(
      businessRules
        .filter(({ name }) => name.startsWith('a dispute'))
        .map(async ({ sql }) => (await court.server.sql.query(sql, [[tenant]])).rows),
    )
  ).flat();

const simulator = { connector: 'simulator', processor_account: null };
const none = { connector: 'none', processor_account: null };

describe('the notice that a dispute was opened', () => {
  test('is recorded once, however often and by however many it is reported', async () => {
    const notice = await noticeOf();
    await Promise.all(Array.from({ length: 10 }, () => care.dispute_opened(notice, simulator)));
    await care.dispute_opened({ ...notice, id: 'told anew', reason: 'other' }, simulator);
    const [dispute, ...more] = await disputesOf(notice.payment);
    expect(more).toEqual([]);
    expect(dispute).toMatchObject({ reason: 'general', status: 'needs_response', payment: notice.payment });
    expect(await court.postings(dispute.id)).toEqual([taken]);
    expect((await court.told(dispute.id)).map(({ type }) => type)).toEqual(['dispute.created']);
    const { dispute: named, version } = await court.row(notice.payment);
    expect([named, version]).toEqual([dispute.id, 3]); // asked, received, disputed
  });

  test('with more than the payment received is posted as reported, the balance may become negative, and a person is asked', async () => {
    const notice = await noticeOf({ money: { amount: 9_000, currency: 'usd' } });
    const raised = await alarmsOf(() => care.dispute_opened(notice, simulator));
    expect(raised).toEqual([unexpected]);
    const [dispute] = await disputesOf(notice.payment);
    expect([dispute.amount, dispute.currency]).toEqual([9_000, 'usd']);
    expect(await court.postings(dispute.id)).toEqual(['dispute: 9000 usd, balance to disputed']);
    expect(await reviews()).toMatchObject([{ id: dispute.id, amount: 9_000, currency: 'usd' }]);
    const refused = await review(dispute.id, { amount: 2_000 }).catch((error) => error);
    expect(String(refused)).toContain('is posted as reported');
    expect(await review(dispute.id)).toEqual(dispute);
    expect(await reviews()).toEqual([]);
    const again = await review(dispute.id).catch((error) => error);
    expect(String(again)).toContain('there is nothing to review');
  });

  test.each([
    ['needs_response', undefined, []],
    ['won', 'won', ['dispute_reversal: 1800 usd, disputed to balance']],
    ['lost', 'lost', ['dispute_lost: 1800 usd, disputed to processor']],
  ] as const)(
    'in a currency in which nothing was received moves no balance until a person has reviewed it, who finds it %s',
    async (status, result, postings) => {
      const notice = await noticeOf({ money: { amount: 9_000, currency: 'jpy' } });
      const raised = await alarmsOf(() => care.dispute_opened(notice, simulator));
      expect(raised).toEqual([unexpected]);
      const [dispute] = await disputesOf(notice.payment);
      expect([dispute.amount, dispute.currency]).toEqual([9_000, 'jpy']);
      const refund = await court.account.test.post('/v1/refunds', { payment: notice.payment, amount: 1 });
      expect(refund.json.error.code).toBe('payment_disputed');
      if (result !== undefined) await care.dispute_closed(endOf(notice, result), simulator);
      expect(await court.postings(dispute.id)).toEqual([]);
      const { available, disputed = [] } = (await court.account.test.get('/v1/balance')).json;
      expect([...available, ...disputed].filter(({ currency }) => currency === 'jpy')).toEqual([]);
      expect(await violations(notice.tenant)).toEqual([]);
      expect(await missingOfDisputes({ reads: parts.reads, tenant: notice.tenant }, 10)).toEqual([]);
      expect(await reviews()).toMatchObject([{ id: dispute.id, amount: 9_000, currency: 'jpy' }]);
      const refused = await review(dispute.id).catch((error) => error);
      expect(String(refused)).toContain('--amount');
      const reviewed = await review(dispute.id, { amount: 1_800 });
      expect(reviewed).toEqual({ ...dispute, amount: 1_800, currency: 'usd', status });
      expect(await court.postings(dispute.id)).toEqual(['dispute: 1800 usd, balance to disputed', ...postings]);
      expect((await court.told(dispute.id)).at(-1)).toEqual({
        ...{ type: 'dispute.updated', object: reviewed, previous: { amount: 9_000, currency: 'jpy' } },
      });
      expect(await reviews()).toEqual([]);
      expect(await violations(notice.tenant)).toEqual([]);
    },
  );

  test('may come for a payment that was disputed before: the payment names the latest dispute, and any that is not won blocks refunds', async () => {
    const first = await noticeOf();
    const second = { ...first, id: 'n again', dispute: `theirs ${++disputes}`, money: { amount: 10, currency: 'usd' } };
    await care.dispute_opened(first, simulator);
    court.clock.advance(1); // so that the second sorts above the first
    await care.dispute_opened(second, simulator);
    const [latest, earliest] = await disputesOf(first.payment);
    expect((await court.read(first.payment)).json.dispute).toBe(latest.id);
    const refund = () => court.account.test.post('/v1/refunds', { payment: first.payment, amount: 1 });
    expect((await refund()).json.error.message).toContain(`${latest.id} is needs_response`);
    await care.dispute_closed(endOf(second, 'won'), simulator);
    expect((await refund()).json.error.message).toContain(`${earliest.id} is needs_response`);
    await care.dispute_closed(endOf(first, 'lost'), simulator);
    expect((await refund()).json.error.message).toContain(`${earliest.id} is lost`);
    expect([(await court.get(earliest.id)).status, (await court.get(latest.id)).status]).toEqual(['lost', 'won']);
  });

  const strangers: [string, (notice: Opened) => [Opened, NoticeSource]][] = [
    ['nobody knows', (notice) => [{ ...notice, authorization: newId('att', 1) }, simulator]],
    ['is of another tenant', (notice) => [{ ...notice, tenant: 999_999 as Opened['tenant'] }, simulator]],
    ['is of another processor', (notice) => [notice, none]],
  ];
  test.each(strangers)('about an attempt that %s changes nothing, and is acknowledged', async (_what, change) => {
    const notice = await noticeOf();
    court.clock.advance(3_600_000); // one warning an hour
    const raised = await alarmsOf(() => care.dispute_opened(...change(notice)));
    expect(raised).toEqual([expect.stringContaining('is not known here')]);
    expect(await court.sql('select id from disputes where reference = $1', [notice.dispute])).toEqual([]);
  });

  test('with an id that another processor uses for another dispute: both exist, each with its own end', async () => {
    const notice = await noticeOf();
    const second = { ...(await noticeOf()), dispute: notice.dispute };
    await court.sql(`update attempts set connector = 'none' where id = $1`, [second.authorization]);
    await care.dispute_opened(notice, simulator);
    await care.dispute_opened(second, none);
    const text = 'select connector, payment, status from disputes where reference = $1 order by connector desc';
    const statuses = () => court.sql(text, [notice.dispute]);
    const [first, other] = [
      { connector: 'simulator', payment: notice.payment, status: 'needs_response' },
      { connector: 'none', payment: second.payment, status: 'needs_response' },
    ];
    expect(await statuses()).toEqual([first, other]);
    await care.dispute_closed(endOf(second, 'lost'), none);
    expect(await statuses()).toEqual([first, { ...other, status: 'lost' }]);
    await care.dispute_closed(endOf(notice, 'won'), simulator);
    expect((await statuses()).map(({ status }) => status)).toEqual(['won', 'lost']);
  });

  test('that cannot be recorded is rejected, and so handled again', async () => {
    const notice = await noticeOf();
    await expect(unlucky().dispute_opened(notice, simulator)).rejects.toThrow('could not record');
    expect(await disputesOf(notice.payment)).toEqual([]);
  });

  test('is recorded although the payment keeps changing', async () => {
    const notice = await noticeOf();
    const updates = Array.from({ length: 5 }, (_, at) =>
      court.account.test.post(`/v1/payments/${notice.payment}`, { description: `${at}` }),
    );
    const told = async () => {
      for (;;) {
        const isDone = await care.dispute_opened(notice, simulator).then(
          () => true,
          () => false,
        );
        if (isDone) return;
      }
    };
    const [answers] = await Promise.all([Promise.all(updates), told()]);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect((await court.read(notice.payment)).json).toMatchObject({
      description: expect.stringMatching(/^[0-4]$/), // of five concurrent ones any may be the last
      dispute: expect.any(String),
    });
  });
});

describe('the notice that a dispute was closed', () => {
  test.each([
    ['won', reversed],
    ['lost', lost],
  ] as const)('as %s, without a response of the merchant: recorded once', async (result, posting) => {
    const notice = await noticeOf();
    await care.dispute_opened(notice, simulator);
    const [{ id }] = await disputesOf(notice.payment);
    const raised = await alarmsOf(async () => {
      await Promise.all(Array.from({ length: 5 }, () => care.dispute_closed(endOf(notice, result), simulator)));
      await care.dispute_closed({ ...endOf(notice, result), id: 'told anew' }, simulator);
      await care.dispute_opened(notice, simulator);
    });
    expect(raised).toEqual([]);
    expect((await court.get(id)).status).toBe(result);
    expect(await court.postings(id)).toEqual([taken, posting]);
    expect((await court.told(id)).map(({ type }) => type)).toEqual(['dispute.created', 'dispute.closed']);
  });

  test('with an end that differs from the stored one is an incident, and the stored end stays', async () => {
    const notice = await noticeOf();
    await care.dispute_opened(notice, simulator);
    await care.dispute_closed(endOf(notice, 'won'), simulator);
    const raised = await alarmsOf(() => care.dispute_closed(endOf(notice, 'lost'), simulator));
    expect(raised).toEqual(['incident: the end of a dispute differs from the one reported earlier']);
    const [{ id, status }] = await disputesOf(notice.payment);
    expect([status, await court.postings(id)]).toEqual(['won', [taken, reversed]]);
  });

  test('before its opening is rejected, and so handled again, until the dispute is known', async () => {
    const notice = await noticeOf();
    const closed = () => care.dispute_closed(endOf(notice, 'lost'), simulator);
    await expect(closed()).rejects.toThrow('is not known here');
    await care.dispute_opened(notice, simulator);
    await closed();
    expect((await disputesOf(notice.payment))[0].status).toBe('lost');
  });

  test('that cannot be recorded is rejected, and so handled again', async () => {
    const notice = await noticeOf();
    await care.dispute_opened(notice, simulator);
    await expect(unlucky().dispute_closed(endOf(notice, 'won'), simulator)).rejects.toThrow('could not record');
    expect((await disputesOf(notice.payment))[0].status).toBe('needs_response');
  });

  test.each([
    ['contest', 'lose_request', 'lost', 'nothing more is sent'],
    ['contest', 'lose_reply', 'approved', 'it counts'],
    ['concede', 'lose_request', 'lost', 'nothing more is sent'],
    ['concede', 'lose_reply', 'approved', 'the end stays'],
  ])('while the answer to a %s is awaited (%s): the attempt ends %s, and %s', async (verb, fault, state) => {
    const dispute = await court.disputed();
    const { id } = dispute;
    const { tenant, reference } = await court.disputeRow(id);
    await court.fault(fault, verb);
    const isContest = verb === 'contest';
    const body = isContest ? { evidence: { receipt: 'x' }, submit: true } : {};
    expect((await court.post(isContest ? id : `${id}/close`, body)).status).toBe(200);
    await care.dispute_closed(
      { id: 'end', tenant, kind: 'dispute_closed', dispute: reference, result: 'won' },
      simulator,
    );
    expect(await court.words(id)).toMatchObject([{ state: 'unknown' }]);
    await court.later(deadlineMs + 5_000);
    expect(await court.words(id)).toMatchObject([{ verb, state }]);
    const counted = isContest && state === 'approved' ? 1 : 0;
    expect(await court.disputeRow(id)).toMatchObject({
      ...{ status: 'won', open_attempt: null, due_at: null, lease_until: null, submission_count: counted },
    });
    expect(await court.postings(id)).toEqual([taken, reversed]);
  });
});

describe('a processor', () => {
  test('that refuses for another reason: 402, and the dispute is unchanged', async () => {
    const notice = await noticeOf(); // the simulator does not know it
    await care.dispute_opened(notice, simulator);
    const [{ id, payment }] = await disputesOf(notice.payment);
    const refusals = [
      await court.post(id, { evidence: { receipt: 'x' }, submit: true }),
      await court.post(`${id}/close`, {}),
    ];
    for (const { status, json } of refusals) {
      const { code, type, message, decline_code, payment: about } = json.error;
      expect(message).toMatch(/ The processor did not (take|close) the .*; the dispute is as it was\.$/);
      expect([status, code, type]).toEqual([402, 'processing_error', 'card_error']);
      expect([decline_code, about]).toEqual(['unknown_dispute', payment]);
    }
    const { status, evidence, evidence_details } = await court.get(id);
    expect([status, evidence, evidence_details.submission_count]).toEqual(['needs_response', { receipt: 'x' }, 0]);
    expect(await court.disputeRow(id)).toMatchObject({ open_attempt: null, due_at: null });
    expect((await court.told(id)).map(({ type }) => type)).toEqual(['dispute.created', 'dispute.updated']);
  });

  test('that takes no submissions in disputes: they are refused, and evidence is kept', async () => {
    const { live } = court.account;
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2035 };
    const { id: method } = (await live.post('/v1/payment_methods', { type: 'card', card })).json;
    const failed = await live.post('/v1/payments', { amount: 2000, currency: 'usd', payment_method: method });
    const { payment } = failed.json.error;
    const [{ tenant, id: authorization }] = await court.sql('select tenant, id from attempts where payment = $1', [
      payment,
    ]);
    await care.dispute_opened(
      { ...(await noticeOf()), tenant, authorization },
      { connector: 'none', processor_account: null },
    );
    const [{ id }] = (await live.get(`/v1/disputes?payment=${payment}`)).json.data;
    const path = `/v1/disputes/${id}`;
    const gathered = await live.post(path, { evidence: { receipt: 'x' } });
    expect([gathered.status, gathered.json.evidence]).toEqual([200, { receipt: 'x' }]);
    const unable = 'the processor none does not accept this through the gateway; contact it directly.';
    for (const [to, body, param] of [
      [path, { submit: true }, 'submit'],
      [`${path}/close`, {}, 'id'],
    ] as const) {
      const { status, json } = await live.post(to, body);
      const message = `The parameter ${param} is invalid: ${unable}`;
      expect([status, json.error]).toEqual([
        400,
        { code: 'parameter_invalid', message, param, type: 'invalid_request_error' },
      ]);
    }
    expect((await live.get(path)).json.status).toBe('needs_response');
  });
});
