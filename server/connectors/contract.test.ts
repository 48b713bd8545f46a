import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { newId } from '../base/id.ts';
import { type AttemptId, type Notice, type Reply, type Traces, type Verb, verbs } from './contract.ts';
import {
  authorizationAt,
  cardOf,
  connectorNames,
  cvc,
  newAttempt,
  openWorld,
  setupAt,
  type TestedProcessor,
  type TestedWorld,
} from './processor.fixture.ts';
import { openStripeWorld } from './stripe/world.fixture.ts';

/** The real connector, against a fake of Stripe. */
const stripeName = 'stripe' as const;

/** The behaviour that the gateway relies on. A new connector is added to the list in the fixture and must pass every test. */
describe.each([...connectorNames, stripeName])('%s', (name) => {
  let world: TestedWorld;
  let processor: TestedProcessor;
  beforeAll(async () => {
    world = name === stripeName ? await openStripeWorld(systemClock) : await openWorld(name);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    processor = world.processor();
  });

  const takesMoney = name !== 'none';
  const isStripe = name === stripeName;
  const setsUp = takesMoney;
  const needs = test.skipIf(!takesMoney);
  /** Stripe has its own clock, and its notices are read one by one. */
  const needsOurClock = test.skipIf(!takesMoney || isStripe);
  const charge = async () => (await processor.charges())[0];
  /** An inquiry tells what the answer has told; of a refusal that left no trace it tells that. */
  const expectFound = async ({ attempt, outcome }: Reply, verb: Verb) => {
    const found = (await processor.find(attempt, verb)).outcome;
    const isForgotten = outcome.kind === 'declined' && processor.forgetsRefusals;
    expect(found).toEqual(isForgotten ? { kind: 'not_found' } : outcome);
  };

  test('has a name, and perhaps an account, by which it is found again', async () => {
    const { connectors, connector, tenant } = processor;
    const { name, account } = connector;
    const found = await connectors.of({ tenant, connector: name, processor_account: account ?? null });
    expect(found).toMatchObject({ name, place: connector.place, ...(account === undefined ? {} : { account }) });
  });

  test.each([true, false])(
    'approves a good card, or declines because it cannot take money (capture: %s)',
    async (capture) => {
      const reply = await processor.authorize({ capture });
      expect(reply.outcome.kind).toBe(takesMoney ? 'approved' : 'declined');
      const expected = { authorized: 1_000, captured: capture ? 1_000 : 0, refunded: 0, canceled: false };
      if (takesMoney) expect(await charge()).toMatchObject(expected);
      else expect(await processor.entries()).toEqual([]);
    },
  );

  test('declines a bad card, and moves no money', async () => {
    const reply = await processor.authorize({ number: '4000000000000002' });
    expect(reply.outcome).toMatchObject({ kind: 'declined' });
    expect((await charge())?.net ?? 0).toBe(0);
  });

  test('names the attempt of the request in its reply', async () => {
    const attempt = newAttempt();
    expect((await processor.authorize({ attempt })).attempt).toBe(attempt);
    expect((await processor.find(attempt)).attempt).toBe(attempt);
  });

  test.each(['4242424242424242', '4000000000000127', '4000000000003220', '4000000000000408', '4000000000000416'])(
    'stores only the last digits of the card %s',
    async (number) => {
      const reply = await processor.authorize({ number });
      const found = await processor.find(reply.attempt);
      const kept = JSON.stringify([reply.exchange, found.exchange, await processor.entries()]);
      expect(kept).not.toContain(number.slice(0, 12));
      expect(kept).not.toContain(cvc);
      expect(kept).not.toContain('/challenge/');
    },
  );

  test('does not find an attempt that was never made', async () => {
    for (const verb of verbs) expect((await processor.find(newAttempt(), verb)).outcome).toEqual({ kind: 'not_found' });
  });

  test('does not find the attempt of another tenant', async () => {
    const { attempt } = await processor.authorize();
    expect((await world.processor().find(attempt)).outcome).toEqual({ kind: 'not_found' });
  });

  test('a repeated attempt has one effect and the same answer', async () => {
    const attempt = newAttempt();
    const first = await processor.authorize({ attempt });
    const second = await processor.authorize({ attempt });
    expect(second.outcome).toEqual(first.outcome);
    expect(await processor.charges()).toHaveLength(takesMoney ? 1 : 0);
  });

  needs('finds an approval and a decline with the outcome of the first answer', async () => {
    for (const number of ['4242424242424242', '4000000000009995']) {
      const told = await processor.authorize({ number });
      expect((await processor.find(told.attempt)).outcome).toEqual(told.outcome);
    }
  });

  needs('captures a part, once, and releases the rest', async () => {
    const { attempt: of } = await processor.authorize({ capture: false });
    const told = await processor.capture({ of, amount: 600 });
    expect(told.outcome.kind).toBe('approved');
    const money = { amount: 600, currency: 'eur' };
    const second = await processor.capture({ of, amount: 400 });
    expect(second.outcome).toMatchObject({ kind: 'already_captured', money });
    expect((await processor.find(second.attempt, 'capture')).outcome).toEqual(second.outcome);
    expect(await charge()).toMatchObject({ authorized: 1_000, captured: 600, net: 600 });
    expect((await processor.find(told.attempt, 'capture')).outcome).toEqual(told.outcome);
  });

  needs('does not capture more than was authorized, nor in another currency', async () => {
    const { attempt: of } = await processor.authorize({ capture: false });
    expect((await processor.capture({ of, amount: 1_001 })).outcome).toMatchObject(refused);
    const money = { amount: 10, currency: 'usd' };
    expect((await processor.capture({ of, money })).outcome).toMatchObject(refused);
    expect((await processor.capture({ of, amount: 1_000 })).outcome.kind).toBe('approved');
  });

  needs('cancels a reserved amount, which can no longer be captured', async () => {
    const { attempt: of } = await processor.authorize({ capture: false });
    const told = await processor.cancel({ of });
    expect(told.outcome.kind).toBe('approved');
    expect((await processor.capture({ of })).outcome).toMatchObject(refused);
    expect(await charge()).toMatchObject({ captured: 0, canceled: true, net: 0 });
    expect((await processor.find(told.attempt, 'cancel')).outcome).toEqual(told.outcome);
  });

  needs.each([true, false])(
    'gives the money back when a captured payment is canceled (captured immediately: %s)',
    async (capture) => {
      const { attempt: of } = await processor.authorize({ capture });
      const captures = capture ? [] : [(await processor.capture({ of })).attempt];
      expect((await processor.cancel({ of, captures })).outcome.kind).toBe('approved');
      expect((await processor.refund({ of })).outcome).toMatchObject(refused);
      expect(await charge()).toMatchObject({ captured: 1_000, canceled: true, net: 0 });
    },
  );

  needs('a second cancel, or a cancel of a declined authorization, changes nothing', async () => {
    for (const number of ['4242424242424242', '4000000000000002']) {
      const { attempt: of } = await processor.authorize({ number });
      for (let times = 0; times < 2; times++) expect((await processor.cancel({ of })).outcome.kind).toBe('approved');
    }
    expect((await processor.charges()).map(({ net }) => net)).toEqual([0, 0]);
  });

  needs.each([
    ['captured immediately', { capture: true }],
    ['reserved', { capture: false }],
    ['that the cardholder would have to approve', { number: '4000000000003220' }],
    ['whose answer would be lost', { number: '4000000000000408' }],
  ])('an authorization %s that is canceled before it arrives never takes effect', async (_, request) => {
    const of = newAttempt();
    const authorization = { ...authorizationAt(of), ...('capture' in request ? { capture: request.capture } : {}) };
    expect((await processor.cancel({ of, authorization })).outcome.kind).toBe('approved');
    for (let arrivals = 0; arrivals < 2; arrivals++) {
      const late = await processor.authorize({ ...request, attempt: of });
      if (processor.connector.place === 'local') expect(late.verdict).toBe('conflict');
      else expect(late.outcome.kind).toBe('declined');
      expect((await processor.find(of)).outcome.kind).toBe('declined');
    }
    expect(await charge()).toMatchObject({ authorized: 0, net: 0 });
    expect((await processor.capture({ of })).outcome).toMatchObject(refused);
    expect((await processor.cancel({ of })).outcome.kind).toBe('approved');
  });

  needs('of an authorization and its cancel that arrive together, nothing remains', async () => {
    const attempts = Array.from({ length: 10 }, newAttempt);
    for (const of of attempts) {
      const cancelled = Promise.all([processor.cancel({ of }), processor.cancel({ of })]);
      await Promise.all([cancelled, processor.authorize({ attempt: of }).catch(() => undefined)]);
      expect((await cancelled).map(({ outcome }) => outcome.kind)).toContain('approved');
    }
    expect((await processor.charges()).map(({ net }) => net)).toEqual(attempts.map(() => 0));
  });

  needs('refunds in parts, up to the captured amount', async () => {
    const { attempt: of } = await processor.authorize();
    const told: Reply[] = [];
    for (const amount of [300, 700, 1]) told.push(await processor.refund({ of, amount }));
    expect(told.map(({ outcome }) => outcome.kind)).toEqual(['approved', 'approved', 'declined']);
    for (const reply of told) await expectFound(reply, 'refund');
    expect(await charge()).toMatchObject({ captured: 1_000, refunded: 1_000, net: 0 });
  });

  needs('does not refund an amount that is only reserved, and does not cancel a refunded charge', async () => {
    const { attempt: of } = await processor.authorize({ capture: false });
    expect((await processor.refund({ of })).outcome).toMatchObject(refused);
    const captures = [(await processor.capture({ of })).attempt];
    await processor.refund({ of, amount: 1 });
    expect((await processor.cancel({ of, captures })).outcome).toMatchObject(refused);
  });

  describe.skipIf(!takesMoney)('what is done at the processor without the gateway', () => {
    const money = { amount: 700, currency: 'eur' };

    test('a capture is reported, and neither a cancel nor a capture of the gateway undoes it', async () => {
      const { attempt: of } = await processor.authorize({ capture: false });
      await processor.byHand('capture', of, 700);
      expect(await processor.elsewhere()).toMatchObject([{ kind: 'captured_elsewhere', attempt: of, money }]);
      const foreign = { kind: 'already_captured', money };
      expect((await processor.capture({ of })).outcome).toMatchObject(foreign);
      for (const captures of [[], [newAttempt()], [of]])
        expect((await processor.cancel({ of, captures })).outcome).toMatchObject(foreign);
      expect(await charge()).toMatchObject({ captured: 700, canceled: false, net: 700 });
      expect(await processor.statement()).toContainEqual(
        expect.objectContaining({ kind: 'payment', reference: of, money }),
      );
    });

    test('a cancel does not give back a capture of the gateway that it does not name', async () => {
      const { attempt: of } = await processor.authorize({ capture: false });
      const { attempt } = await processor.capture({ of, amount: 700 });
      expect((await processor.cancel({ of })).outcome).toMatchObject({ kind: 'already_captured', money });
      expect((await processor.cancel({ of, captures: [newAttempt(), attempt] })).outcome.kind).toBe('approved');
      expect(await processor.elsewhere()).toEqual([]);
    });

    test('a refund is reported with its name, and found by it', async () => {
      const { attempt: of } = await processor.authorize();
      const refund = await processor.byHand('refund', of, 700);
      const [notice, ...others] = await processor.elsewhere();
      expect([notice, others]).toMatchObject([{ kind: 'refunded_elsewhere', refund, authorization: of, money }, []]);
      const about = { authorization: authorizationAt(of), reference: refund };
      expect((await processor.find(newAttempt(), 'refund', about)).outcome).toMatchObject({ kind: 'approved' });
      expect((await processor.refund({ of, amount: 301 })).outcome).toMatchObject(refused);
      expect((await processor.refund({ of, amount: 300 })).outcome.kind).toBe('approved');
      const lines = (await processor.statement()).filter(({ kind }) => kind === 'refund');
      expect(lines.map(({ reference }) => reference)).toContain(refund);
    });

    test('a refund of the gateway is not reported as made by another', async () => {
      const { attempt: of } = await processor.authorize();
      await processor.refund({ of, amount: 300 });
      expect(await processor.elsewhere()).toEqual([]);
    });

    test('a cancel is reported, and a cancel of the gateway finds the same', async () => {
      const { attempt: of } = await processor.authorize({ capture: false });
      await processor.byHand('cancel', of);
      expect(await processor.elsewhere()).toMatchObject([{ kind: 'canceled_elsewhere', attempt: of }]);
      expect((await processor.cancel({ of })).outcome.kind).toBe('approved');
      expect(await charge()).toMatchObject({ captured: 0, canceled: true, net: 0 });
    });
  });

  describe.skipIf(!takesMoney)('a cancel that gives nothing back', () => {
    const cancel = (of: AttemptId) => processor.cancel({ of, unlessPaid: true });

    test.each([true, false])('leaves what was approved as it is, each time (capture: %s)', async (capture) => {
      const { attempt: of } = await processor.authorize({ capture });
      for (let times = 0; times < 2; times++)
        expect((await cancel(of)).outcome).toMatchObject({ kind: 'already_paid' });
      expect(await charge()).toMatchObject({ authorized: 1_000, captured: capture ? 1_000 : 0, canceled: false });
      expect((await processor.find(of)).outcome).toMatchObject({ kind: 'approved' });
    });

    test('ends what waits for the cardholder', async () => {
      const { attempt: of, outcome } = await processor.authorize({ number: '4000000000003220' });
      expect(outcome.kind).toBe('requires_action');
      expect((await cancel(of)).outcome.kind).toBe('approved');
      expect((await processor.find(of)).outcome.kind).toBe('declined');
      expect((await charge())?.net ?? 0).toBe(0);
    });
  });

  describe.skipIf(!setsUp)('a setup', () => {
    const findSetup = async (attempt: AttemptId) =>
      (await processor.find(attempt, 'setup', { setup: setupAt(attempt) })).outcome;

    test('succeeds, once, is found with the same outcome, and charges nothing', async () => {
      const attempt = newAttempt();
      const { outcome } = await processor.setup({ attempt });
      expect(outcome).toMatchObject({ kind: 'approved', reference: expect.any(String) });
      expect((await processor.setup({ attempt })).outcome).toEqual(outcome);
      expect(await findSetup(attempt)).toEqual(outcome);
      expect(await processor.charges()).toEqual([]);
      expect(await processor.statement()).toEqual([]);
    });

    test('of a bad card is declined, and found as declined', async () => {
      const { attempt, outcome } = await processor.setup({ number: '4000000000000002' });
      expect(outcome).toMatchObject({ kind: 'declined', code: 'card_declined', declineCode: 'generic_decline' });
      expect(await findSetup(attempt)).toMatchObject({ kind: 'declined', code: 'card_declined' });
    });

    test('that wants the cardholder is ended by a cancel, and a repeated cancel finds the same', async () => {
      const { attempt: of, outcome } = await processor.setup({ number: '4000000000003220' });
      expect(outcome).toMatchObject({ kind: 'requires_action' });
      expect(await findSetup(of)).toMatchObject({ kind: 'requires_action' });
      const { attempt, outcome: canceled } = await processor.cancelSetup({ of });
      expect(canceled.kind).toBe('approved');
      expect((await processor.cancelSetup({ of, attempt })).outcome.kind).toBe('approved');
      expect((await processor.find(attempt, 'cancel', { setup: setupAt(of) })).outcome.kind).toBe('approved');
      expect(await findSetup(of)).toMatchObject({ kind: 'declined' });
    });

    test('that wants the cardholder is a decline where this is asked for', async () => {
      const { attempt: of, outcome } = await processor.setup({ number: '4000000000003220', declinesChallenge: true });
      expect(outcome).toMatchObject({ kind: 'declined', code: 'card_declined', advice: 'authenticate' });
      if ('awaitsCardholder' in outcome) expect((await processor.cancelSetup({ of })).outcome.kind).toBe('approved');
      expect(await findSetup(of)).not.toHaveProperty('awaitsCardholder');
    });

    test('that has succeeded is not canceled', async () => {
      const { attempt: of } = await processor.setup();
      expect((await processor.cancelSetup({ of })).outcome).toMatchObject({
        kind: 'declined',
        code: 'processing_error',
      });
      expect((await findSetup(of)).kind).toBe('approved');
    });

    test('that is canceled before it arrives never takes effect', async () => {
      const of = newAttempt();
      expect(await findSetup(of)).toEqual({ kind: 'not_found' });
      expect((await processor.cancelSetup({ of })).outcome.kind).toBe('approved');
      await processor.setup({ attempt: of });
      expect((await findSetup(of)).kind).not.toBe('approved');
    });

    test('stores only the last digits of the card', async () => {
      const reply = await processor.setup();
      const stored = JSON.stringify([reply.exchange, await processor.entries()]);
      expect(stored).not.toContain('424242424242');
      expect(stored).not.toContain(cvc);
    });

    test('is the agreement to a later charge without the cardholder', async () => {
      const { networkTransactionId, reference } = (await processor.setup()).outcome as Traces;
      const terms = { initiator: 'merchant', storedCredential: 'subsequent', networkTransactionId } as const;
      const charged = await processor.authorize({ ...terms, agreementReference: reference });
      expect(charged.outcome.kind).toBe('approved');
    });

    test.skipIf(!isStripe)('keeps the number for later charges, until it is forgotten', async () => {
      const { keepCard, forget } = processor.connector;
      const id = newId('pm', Date.now());
      const make = () => keepCard!({ id, deadline: Date.now() + 10_000 });
      const customer = await make();
      expect(await make()).toBe(customer);
      const kept = (agreement?: string) =>
        cardOf('4242424242424242', { cvc: undefined, kept: { customer, agreement } });
      const { reference } = (await processor.setup({ instrument: kept() })).outcome as Traces;
      const terms = { initiator: 'merchant', storedCredential: 'subsequent', instrument: kept(reference) } as const;
      expect((await processor.authorize(terms)).outcome.kind).toBe('approved');
      for (let times = 0; times < 2; times++) expect(await forget!({ customer, id })).toBe('forgotten');
      expect((await processor.authorize(terms)).outcome.kind).toBe('approved'); // by the number
      expect(await forget!({ customer, id: newId('pm', Date.now()) })).toBe('forgotten');
    });
  });

  needs('refuses an authorization that it does not know, and the reference of another authorization', async () => {
    expect((await processor.capture({ of: newAttempt() })).outcome).toMatchObject(refused);
    expect((await processor.refund({ of: newAttempt() })).outcome).toMatchObject(refused);
    const [one, other] = [await processor.authorize(), await processor.authorize()];
    const { reference } = other.outcome as { reference: string };
    const authorization = { ...authorizationAt(one.attempt), reference };
    expect((await processor.cancel({ of: one.attempt, authorization })).outcome).toMatchObject(refused);
  });

  needs('for every verb, a repeated attempt has one effect and the same answer', async () => {
    const { attempt: of } = await processor.authorize({ capture: false });
    const attempts = { capture: newAttempt(), refund: newAttempt() };
    for (const verb of ['capture', 'refund'] as const) {
      const ask = () => processor[verb]({ of, amount: 500, attempt: attempts[verb] });
      expect((await ask()).outcome).toEqual((await ask()).outcome);
    }
    expect(await charge()).toMatchObject({ captured: 500, refunded: 500 });
  });

  needs('when many race, one capture succeeds and refunds stay within the captured amount', async () => {
    const { attempt: of } = await processor.authorize({ capture: false });
    const captures = await Promise.all([1, 2, 3, 4].map(() => processor.capture({ of })));
    expect(captures.filter(({ outcome }) => outcome.kind === 'approved')).toHaveLength(1);
    const refunds = await Promise.all([1, 2, 3, 4, 5].map(() => processor.refund({ of, amount: 400 })));
    expect(refunds.filter(({ outcome }) => outcome.kind === 'approved')).toHaveLength(2);
    expect(await charge()).toMatchObject({ captured: 1_000, refunded: 800 });
  });

  /** A charge whose cardholder disputes it, and the notice about it. */
  const disputed = async () => {
    const { attempt } = await processor.authorize({ number: '4000000000000259' });
    const [notice] = await processor.notices();
    return { attempt, notice: notice as Extract<Notice, { kind: 'dispute_opened' }> };
  };

  needs('reports a dispute, the same each time, until it is acknowledged; the money is taken immediately', async () => {
    const { attempt, notice } = await disputed();
    const money = { amount: 1_000, currency: 'eur' };
    expect(notice).toMatchObject({ kind: 'dispute_opened', authorization: attempt, money, tenant: processor.tenant });
    expect(notice.account).toBe(processor.connector.account);
    expect(notice.dueBy).toBeGreaterThan(Date.now());
    for (let times = 0; times < 2; times++) expect(await processor.notices()).toEqual([notice]);
    expect(await charge()).toMatchObject({ captured: 1_000, disputed: 1_000, net: 0 });
    expect((await processor.refund({ of: attempt, amount: 1 })).outcome).toMatchObject(refused);
    expect((await processor.cancel({ of: attempt })).outcome).toMatchObject(refused);
    for (let times = 0; times < 2; times++) await processor.acknowledge([notice]);
    expect(await processor.notices()).toEqual([]);
  });

  needs.each([
    ['contest', 'winning_evidence', [{ kind: 'dispute_closed', result: 'won' }], 1_000],
    ['contest', 'losing_evidence', [{ kind: 'dispute_closed', result: 'lost' }], 0],
    ['concede', '', [], 0],
  ] as const)(
    'accepts a %s (%s), once per attempt, and finds it with the same outcome',
    async (verb, text, told, net) => {
      const { notice } = await disputed();
      await processor.acknowledge([notice]);
      const attempt = newAttempt();
      const ask = () => processor[verb]({ attempt, dispute: notice.dispute, evidence: { uncategorized_text: text } });
      const { outcome, exchange } = await ask();
      expect(outcome).toMatchObject({ kind: 'approved' });
      expect((await ask()).outcome).toEqual(outcome);
      expect((await processor.find(attempt, verb)).outcome).toEqual(outcome);
      expect((await processor.entries()).filter((entry) => entry.verb === verb)).toHaveLength(1);
      if (text !== '') expect(JSON.stringify(exchange)).not.toContain(text);
      const closed = await processor.notices();
      // Stripe reports the end that the merchant has caused, too.
      const ends = isStripe && verb === 'concede' ? [{ kind: 'dispute_closed', result: 'lost' }] : told;
      expect(closed).toMatchObject(ends.map((one) => ({ ...one, dispute: notice.dispute })));
      expect(await processor.notices()).toEqual(closed);
      await processor.acknowledge(closed);
      expect(await processor.notices()).toEqual([]);
      expect(await charge()).toMatchObject({ net });
      const late = await processor[verb]({ dispute: notice.dispute });
      expect(late.outcome).toMatchObject(refused);
      await expectFound(late, verb);
    },
  );

  needs.each(['contest', 'concede'] as const)(
    'refuses a %s of a dispute that it does not know or that belongs to another tenant',
    async (verb) => {
      const { attempt, notice } = await disputed();
      for (const dispute of ['', 'sim_dp_', 'dp_1', attempt, `${notice.dispute}/dispute`])
        expect((await processor[verb]({ dispute })).outcome).toMatchObject(refused);
      expect((await world.processor()[verb]({ dispute: notice.dispute })).outcome).toMatchObject(refused);
      expect((await processor[verb]({ dispute: notice.dispute })).outcome.kind).toBe('approved');
    },
  );

  needs('lists every movement of money once in its statement, in the order of time', async () => {
    const one = await processor.authorize();
    const { attempt: of } = await processor.authorize({ capture: false });
    const two = await processor.capture({ of, amount: 700 });
    await processor.authorize({ capture: false });
    await processor.authorize({ number: '4000000000000002' });
    const { attempt: undone } = await processor.authorize();
    const reversal = await processor.cancel({ of: undone });
    const back = await processor.refund({ of, amount: 300 });
    await processor.refund({ of, amount: 500 });
    const { attempt: three, notice } = await disputed();
    await processor.contest({ dispute: notice.dispute, evidence: { uncategorized_text: 'winning_evidence' } });
    await processor.acknowledge(await processor.notices());
    const lines = await processor.statement();
    // Stripe does not undo a charge: it gives the money back, and shows both.
    const bothLines = [
      ['payment', undone, 1_000, 'eur'],
      ['refund', reversal.attempt, 1_000, 'eur'],
    ];
    // It books all that was authorized, and books back what was not captured, under a separate name.
    const released = lines.filter(({ kind }) => kind === 'release').map(({ reference }) => reference);
    expect(released).toHaveLength(isStripe ? 1 : 0);
    expect(lines.map(({ kind, reference, money }) => [kind, reference, money.amount, money.currency]).sort()).toEqual(
      [
        ['payment', one.attempt, 1_000, 'eur'],
        ['payment', two.attempt, 700, 'eur'],
        ['refund', back.attempt, 300, 'eur'],
        ['payment', three, 1_000, 'eur'],
        ['dispute', notice.dispute, 1_000, 'eur'],
        ['dispute_reversal', notice.dispute, 1_000, 'eur'],
        ...(isStripe ? bothLines : []),
        ...released.map((reference) => ['release', reference, 300, 'eur']),
      ].sort(),
    );
    const times = lines.map(({ at }) => at.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  needs('names the marked payment of each line that can be recorded again from it, or of none', async () => {
    const payment = newId('py', Date.now());
    const { attempt: of, outcome } = await processor.authorize({ payment, capture: false });
    const { attempt: capture } = await processor.capture({ of, amount: 700 });
    const back = await processor.refund({ of, amount: 300 });
    const lines = (await processor.statement()).filter(({ kind }) => kind === 'payment' || kind === 'refund');
    const marked = { payment, authorization: of, capture, isManual: true, money: { amount: 1_000, currency: 'eur' } };
    const origin = { ...marked, reference: (outcome as { reference: string }).reference };
    const method = { brand: 'visa', last4: '4242', expMonth: expect.any(Number), expYear: expect.any(Number) };
    // The books of the simulator are in the database, and lost with it.
    if (lines.every((line) => line.origin === undefined)) return expect(isStripe).toBe(false);
    expect(lines).toMatchObject([
      { kind: 'payment', reference: capture, origin: { ...origin, method } },
      { kind: 'refund', reference: back.attempt, refund: (back.outcome as { reference: string }).reference, origin },
    ]);
  });

  needsOurClock('limits its statement to a range: the start is included, the end is not', async () => {
    const now = 1_700_000_000_000;
    for (const at of [now - 1, now, now + 1, now + 2]) await processor.authorize({ now: at });
    const lines = await processor.statement({ from: new Date(now), to: new Date(now + 2) });
    expect(lines.map(({ at }) => at.getTime())).toEqual([now, now + 1]);
    expect(await processor.statement({ from: new Date(now), to: new Date(now) })).toEqual([]);
  });

  needsOurClock('reports at most as many notices as requested, oldest first, and none before it is due', async () => {
    const now = Date.now() - 1_000_000; // before all news of other tests
    const made: string[] = [];
    for (const age of [1_000, 3_000, 2_000])
      made.push((await processor.authorize({ number: '4000000000000259', now: now - age })).attempt);
    const tell = async (limit: number, at = now) => {
      const told = await processor.connectors.byName(processor.connector.name).notices!({ now: at, limit });
      return told.map((notice) => (notice as Extract<Notice, { kind: 'dispute_opened' }>).authorization);
    };
    expect(await tell(0)).toEqual([]);
    expect(await tell(10, now - 3_001)).toEqual([]);
    expect(await tell(2)).toEqual([made[1], made[2]]);
    expect(await tell(10)).toEqual([made[1], made[2], made[0]]);
  });

  test.skipIf(takesMoney)('a connector that takes no money has no disputes and no notices', () => {
    const { contest, concede, notices, acknowledge, poll, inbound, statement } = processor.connector;
    expect([contest, concede, notices, acknowledge, poll, inbound, statement]).toEqual(Array(7).fill(undefined));
  });
});

const refused = { kind: 'declined', code: 'processing_error' };
