import { describe, expect, test } from 'vitest';
import { virtualClock } from '../base/clock.fixture.ts';
import { newId } from '../base/id.ts';
import type { Tenant } from '../base/reads.ts';
import { ask, type CallReport, checkReply, oneOfSeveral } from './ask.ts';
import type { InquiryOutcome, Reply } from './contract.ts';

const clock = virtualClock(Date.now());
const attempt = newId('att', clock.now());
const reports: CallReport[] = [];
const limits = { clock, deadlineMs: 50, onLate: () => {}, onCall: (report: CallReport) => void reports.push(report) };
const dock = { connector: 'dock', processor_account: null } as const;
const call = { ...dock, tenant: 1 as Tenant, attempt, verb: 'capture' } as const;
const approved: Reply = { attempt, outcome: { kind: 'approved' }, exchange: {} };

describe('asking a processor', () => {
  test.each([0, -1, -10_000])('does not begin %i ms after the deadline of the attempt', async (left) => {
    let calls = 0;
    const about = { ...call, deadline: new Date(clock.now() + left) };
    const reply = await ask(limits, about, async () => {
      calls++;
      return approved;
    });
    // Inquiries rely on this: an authorization that began now would not be found, and its payment would fail.
    // Nothing was sent, which is certain: another processor may be asked.
    expect([calls, reply.outcome.kind]).toEqual([0, 'not_sent']);
  });

  const declined = { kind: 'declined', code: 'card_declined' };
  test.each<[object, string]>([
    [{ kind: 'approved' }, 'approved'],
    [declined, 'declined'],
    [{ ...declined, advice: 'later' }, 'declined'],
    [{ ...declined, advice: 'perhaps' }, 'unknown'],
    [{ ...declined, code: 'no_money' }, 'unknown'],
    [{ kind: 'not_sent', reason: 'ECONNREFUSED' }, 'not_sent'],
    [{ kind: 'not_sent' }, 'unknown'],
    [{ kind: 'requires_action', url: 'nowhere' }, 'unknown'],
    [{ kind: 'requires_action', url: 'https://bank.test/1' }, 'requires_action'],
    [{ kind: 'requires_action', url: 'javascript:alert(1)' }, 'unknown'],
    [{ kind: 'requires_action', url: 'data:text/html,hello' }, 'unknown'],
    [{ kind: 'requires_action', url: 'http://bank.test/1' }, 'unknown'],
    [{ kind: 'requires_action', url: 'http://127.0.0.1:1/' }, 'unknown'],
    [{ kind: 'already_captured', money: { amount: 1, currency: 'eur' } }, 'already_captured'],
    [{ kind: 'already_captured', money: { amount: 0, currency: 'eur' } }, 'unknown'],
    [{ kind: 'already_captured', money: { amount: 1.5, currency: 'eur' } }, 'unknown'],
    [{ kind: 'already_captured', money: { amount: 1 } }, 'unknown'],
    [{ kind: 'already_captured' }, 'unknown'],
    [{ kind: 'perhaps' }, 'unknown'],
  ])('the answer %j is %s', async (outcome, kind) => {
    const reply = { ...approved, outcome: outcome as Reply['outcome'] };
    expect((await ask(limits, call, async () => reply)).outcome.kind).toBe(kind);
  });

  test.each([
    ['http://127.0.0.1:1/', true, 'requires_action'],
    ['http://localhost:1/', true, 'requires_action'],
    ['http://[::1]:1/', true, 'requires_action'],
    ['http://127.0.0.1.bank.test/', true, 'unknown'],
    ['http://bank.test/', true, 'unknown'],
    ['http://127.0.0.1:1/', false, 'unknown'],
    ['https://bank.test/', false, 'requires_action'],
  ] as const)(
    'a challenge at %s of a processor whose pages may be local (%s) is %s',
    async (url, hasLocalPages, kind) => {
      const reply: Reply = { ...approved, outcome: { kind: 'requires_action', url } };
      expect((await ask(limits, { ...call, hasLocalPages }, async () => reply)).outcome.kind).toBe(kind);
      expect(checkReply(attempt, reply, hasLocalPages).outcome.kind).toBe(kind);
    },
  );

  test('an inquiry that was not sent tells nothing about the attempt', () => {
    const outcome = { kind: 'not_sent', reason: 'ECONNREFUSED' } as const;
    expect(oneOfSeveral({ attempt, outcome, exchange: {} }).outcome).toEqual({ ...outcome, kind: 'unknown' });
    expect(oneOfSeveral(approved)).toBe(approved);
  });

  test('keeps the code or name of an error, and nothing of its message', async () => {
    const quoting = new TypeError('cannot send 4242424242424242');
    const reply = await ask(limits, call, () => Promise.reject(quoting));
    expect(reply).toEqual({
      attempt,
      outcome: { kind: 'unknown', reason: 'TypeError' },
      exchange: { failure: 'TypeError' },
    });
  });

  test.each<InquiryOutcome>([
    { kind: 'approved' },
    { kind: 'pending' },
    { kind: 'requires_action', url: 'https://bank.test/' },
    { kind: 'declined', code: 'card_declined' },
    { kind: 'not_sent', reason: 'ECONNREFUSED' },
    { kind: 'unknown', reason: 'garbled' },
    { kind: 'not_found' },
  ])('passes on the outcome $kind as it is', async (outcome) => {
    expect((await ask(limits, call, async () => ({ attempt, outcome, exchange: {} }))).outcome).toEqual(outcome);
  });

  test('reports each call with its processor, its outcome and its duration', async () => {
    const account = newId('pa', clock.now());
    reports.length = 0;
    await ask(limits, { ...call, processor_account: account }, async () => {
      clock.advance(1_500);
      return approved;
    });
    await ask(limits, { ...call, verb: 'find' }, () => Promise.reject(new TypeError('broken')));
    await ask(limits, call, () => new Promise<Reply>(() => {}));
    await ask(limits, { ...call, deadline: new Date(clock.now()) }, async () => approved);
    expect(reports).toEqual([
      { connector: 'dock', processor_account: account, verb: 'capture', outcome: 'approved', seconds: 1.5 },
      { ...dock, verb: 'find', outcome: 'unknown', seconds: 0 },
      { ...dock, verb: 'capture', outcome: 'unknown', seconds: 0 },
    ]);
  });
});
