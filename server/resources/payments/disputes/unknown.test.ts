import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { type Court, dayMs, lost, openCourt, reversed, taken } from './disputes.fixture.ts';

const deadlineMs = 1_000; // some of these processors never answer
let court: Court;
beforeAll(async () => {
  court = await openCourt('remote', { processorDeadlineMs: deadlineMs });
});
afterAll(() => court.stop());

const inquiryMs = deadlineMs + 5_000;
const submit = (id: string, receipt: string) => court.post(id, { evidence: { receipt }, submit: true });
const entries = (id: string, verb: string) =>
  court.sql(
    `select * from simulator_entries where verb = $2 and attempt in (select a.id from attempts a where dispute = $1)`,
    [id, verb],
  );
const types = async (id: string) => (await court.told(id)).map(({ type }) => type);

describe.each(['lose_reply', 'lose_request', 'down', 'hang', 'hang_before', 'wrong_attempt', 'malformed'])(
  'a processor without a usable answer: %s',
  (kind) => {
    test('evidence is kept, and the same attempt is inquired until its outcome is known', async () => {
      const dispute = await court.disputed();
      const { id } = dispute;
      await court.fault(kind, 'contest');
      const answer = await submit(id, 'x');
      const details = { ...dispute.evidence_details, has_evidence: true };
      const kept = { ...dispute, evidence: { receipt: 'x' }, evidence_details: details };
      expect([answer.status, answer.json]).toEqual([200, kept]);
      expect(await court.words(id)).toMatchObject([{ state: 'unknown' }]);
      expect(await types(id)).toEqual(['dispute.created', 'dispute.updated']);
      await court.later(inquiryMs);
      expect(await court.get(id)).toEqual({
        ...{ ...kept, status: 'under_review' },
        evidence_details: { ...details, submission_count: 1 },
      });
      expect(await court.words(id)).toMatchObject([{ verb: 'contest', state: 'approved' }]);
      expect(await entries(id, 'contest')).toHaveLength(1);
      expect(await types(id)).toEqual(['dispute.created', 'dispute.updated', 'dispute.updated']);
    });

    test('a dispute that is conceded is lost once the outcome is known', async () => {
      const dispute = await court.disputed();
      const { id } = dispute;
      await court.fault(kind, 'concede');
      const answer = await court.post(`${id}/close`);
      expect([answer.status, answer.json]).toEqual([200, dispute]);
      expect(await court.postings(id)).toEqual([taken]);
      await court.later(inquiryMs);
      expect((await court.get(id)).status).toBe('lost');
      expect(await court.postings(id)).toEqual([taken, lost]);
      expect(await entries(id, 'concede')).toHaveLength(1);
      expect(await types(id)).toEqual(['dispute.created', 'dispute.closed']);
    });
  },
);

test('a processor that is down for long is asked with growing pauses', async () => {
  const { id } = await court.disputed();
  await court.fault('down', 'contest', 3);
  await court.fault('down', 'find', 2);
  await submit(id, 'x');
  await court.later(inquiryMs);
  for (const [seconds, inquiries] of [
    [5, 2],
    [10, 3],
    [20, 4],
  ] as const) {
    await court.later(seconds * 1_000 - 1_000);
    expect((await court.disputeRow(id)).inquiries).toBe(inquiries - 1);
    await court.later(1_000);
    expect((await court.disputeRow(id)).inquiries).toBe(inquiries);
  }
  await court.later(40_000);
  expect((await court.get(id)).status).toBe('under_review');
});

test('the next submission waits until the outcome is known', async () => {
  const { id } = await court.disputed();
  await court.fault('lose_request', 'contest');
  await submit(id, 'first');
  const gathering = court.post(id, { evidence: { customer_name: 'Ada' } });
  await expect.poll(async () => (await court.disputeRow(id)).open_attempt).not.toBeNull();
  expect((await court.disputeRow(id)).evidence).toEqual({ receipt: 'first' });
  await court.later(inquiryMs);
  const gathered = await gathering;
  expect([gathered.status, gathered.json.status]).toEqual([200, 'under_review']);
  expect(gathered.json.evidence).toEqual({ receipt: 'first', customer_name: 'Ada' });
  const [{ exchange }] = await court.words(id);
  expect(exchange.inquiry.request).toMatchObject({ verb: 'contest', evidence: ['receipt'] });
});

test('evidence that did not arrive in time is an incident, and the dispute is unchanged until it is lost', async () => {
  const { id } = await court.disputed();
  await court.delayDeadline(id, 60_000);
  await court.fault('lose_request', 'contest');
  expect((await submit(id, 'winning_evidence')).status).toBe(200);
  const incidents = () => court.server.logged.filter((line) => line.includes('incident') && line.includes(id));
  expect(incidents()).toEqual([]);
  await court.later(7 * dayMs + 1);
  expect(await court.words(id)).toMatchObject([{ state: 'declined', decline_code: 'evidence_late' }]);
  expect(await court.disputeRow(id)).toMatchObject({ status: 'needs_response', open_attempt: null, due_at: null });
  expect(incidents()).toHaveLength(1);
  await court.later(60_000);
  expect(await court.postings(id)).toEqual([taken, lost]);
});

test('after a verdict on evidence whose answer was lost, the dispute is won, and the answer only counts the submission', async () => {
  const { id } = await court.disputed();
  await court.fault('lose_reply', 'contest');
  expect((await submit(id, 'winning_evidence')).status).toBe(200);
  await court.settled();
  expect(await court.disputeRow(id)).toMatchObject({ status: 'won', open_attempt: expect.any(String) });
  expect((await court.post(id, { submit: true })).json.error.code).toBe('dispute_closed');
  await court.later(inquiryMs);
  expect(await court.disputeRow(id)).toMatchObject({ status: 'won', open_attempt: null, submission_count: 1 });
  expect(await court.postings(id)).toEqual([taken, reversed]);
  const told = (await court.told(id)).map(({ type, previous }) => [type, previous]);
  expect(told.slice(2)).toEqual([
    ['dispute.closed', undefined],
    ['dispute.updated', { evidence_details: { submission_count: 0 } }],
  ]);
});

test('a processor that knows of the end before it is stored here', async () => {
  const { id } = await court.disputed();
  const { id: second } = await court.disputed();
  for (const one of [id, second]) await court.delayDeadline(one, 1_000);
  // The notice is sent at the end of this test, and the simulator refuses by its own books before.
  await court.sql(
    `insert into simulator_entries (tenant, attempt, verb, authorization_attempt, sequence, payment, amount, currency, captures,
            result, code, decline_code, reference, last4, checks, scenario, at, verdict)
     select tenant, attempt || '/end', 'close', authorization_attempt, sequence + 1, payment, amount, currency, captures,
            result, code, decline_code, reference, last4, checks, scenario, at, 'lost'
       from simulator_entries where verb = 'dispute' and reference in (select reference from disputes where id in ($1, $2))`,
    [id, second],
  );
  const answers = [await submit(id, 'x'), await court.post(`${second}/close`)];
  for (const { status, json } of answers)
    expect([status, json.error]).toEqual([
      400,
      {
        code: 'dispute_closed',
        message: 'This dispute is closed: it was decided by the processor.',
        param: 'id',
        type: 'invalid_request_error',
      },
    ]);
  expect((await court.get(id)).evidence).toEqual({ receipt: 'x' });
  expect(await court.disputeRow(second)).toMatchObject({ status: 'needs_response', open_attempt: null });
  await court.sql(`delete from simulator_entries where attempt like '%/end'`);
});

test('a retry of a request whose instance no longer answers', async () => {
  const slow = { clock: court.clock, processorDeadlineMs: 3_000, environment: { SIMULATOR: 'remote' } };
  const first = await startServer({ ...slow, databaseUrl: court.server.databaseUrl });
  const { id } = await court.disputed();
  await court.fault('hang_before', 'concede');
  const headers = { 'Idempotency-Key': randomUUID() };
  const lostAnswer = first.client(court.account.testKey).post(`/v1/disputes/${id}/close`, {}, headers);
  await expect.poll(async () => (await court.words(id)).map(({ state }) => state)).toEqual(['open']);
  court.clock.advance(3_001);
  const retried = await court.post(`${id}/close`, {}, headers);
  expect([retried.status, retried.json.status]).toEqual([200, 'needs_response']);
  expect(await court.words(id)).toMatchObject([{ state: 'unknown' }]);
  const late = await lostAnswer;
  expect([late.status, late.text]).toEqual([200, retried.text]);
  await first.stop();
  await court.later(5_000);
  expect((await court.get(id)).status).toBe('lost');
  expect(await court.words(id)).toHaveLength(1);
  expect((await court.post(`${id}/close`, {}, headers)).text).toBe(retried.text);
});

test('a retry during a call in flight waits for its answer, which is the answer to both', async () => {
  const patient = { clock: court.clock, environment: { SIMULATOR: 'remote' } };
  const first = await startServer({ ...patient, databaseUrl: court.server.databaseUrl });
  const { id } = await court.disputed();
  await court.sql(
    `insert into simulator_faults (verb, kind, remaining, milliseconds) values ('concede', 'delay', 1, 500)`,
  );
  const headers = { 'Idempotency-Key': randomUUID() };
  const slow = first.client(court.account.testKey).post(`/v1/disputes/${id}/close`, {}, headers);
  await expect.poll(async () => (await court.words(id)).length).toBe(1);
  const twin = await court.post(`${id}/close`, {}, headers);
  expect([twin.status, twin.json.status]).toEqual([200, 'lost']);
  expect((await slow).text).toBe(twin.text);
  await first.stop();
  expect(await court.words(id)).toMatchObject([{ state: 'approved' }]);
  expect(await court.postings(id)).toEqual([taken, lost]);
});

test('in the end the books agree with the processor', async () => {
  await court.later(8 * dayMs);
  expect(await violationsOf(court.server.sql, { rest: true })).toEqual([]);
});
