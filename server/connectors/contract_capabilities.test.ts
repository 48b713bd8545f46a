import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../base/clock.fixture.ts';
import { Secret } from '../base/secret.ts';
import { type AuthorizeRequest, advices, type Traces } from './contract.ts';
import {
  cardOf,
  connectorNames,
  newAttempt,
  openWorld,
  type Processor,
  tokenOf,
  type World,
} from './processor.fixture.ts';

const dayMs = 24 * 3_600_000;

/** What a connector says of itself, and what not every connector can do. As in `contract.test.ts`, each must pass every test. */
describe.each(connectorNames)('%s', (name) => {
  const clock = virtualClock(Date.UTC(2027, 0, 10, 12));
  let world: World;
  let processor: Processor;
  beforeAll(async () => {
    world = await openWorld(name, clock);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    processor = world.processor();
  });

  const takesMoney = name !== 'none';
  const isAccount = name === 'simulator, account';
  const needs = test.skipIf(!takesMoney);
  const needsAccount = test.skipIf(!isAccount);
  const needsNetwork = test.skipIf(name !== 'simulator, remote' && !isAccount);

  test('describes what it has', () => {
    const { connector } = processor;
    const { authorizationDays, partialCapture, tokens, rawCards, setup } = connector.describe();
    expect(tokens || rawCards).toBe(true);
    expect([connector.retrieveToken !== undefined, connector.attachToken !== undefined]).toEqual([tokens, tokens]);
    expect([connector.setup !== undefined, connector.cancelSetup !== undefined]).toEqual([setup, setup]);
    expect(partialCapture && connector.capture === undefined).toBe(false);
    expect(authorizationDays).toBeGreaterThanOrEqual(takesMoney ? 1 : 0);
    const { page, fields } = connector.describe();
    if (page !== undefined) expect(page.minMinutes).toBeLessThanOrEqual(page.maxMinutes);
    for (const { origin, reason } of fields?.hosts ?? [])
      expect([new URL(origin).origin, reason]).toEqual([origin, reason]);
    expect(connector.verify !== undefined).toBe(connector.account !== undefined);
    expect(connector.inbound !== undefined).toBe(connector.account !== undefined);
  });

  test.each([
    ['4000000000000002', 'later'],
    ['4000000000009995', 'later'],
    ['4000000000009987', 'never'],
    ['4000000000009979', 'never'],
    ['4000000000006975', 'later'],
    ['4000000000000069', 'update_card'],
    ['4000000000000127', 'update_card'],
    ['4000000000000119', 'another_processor'],
    ['4000000000000341', 'later'],
  ])('declines %s with the advice %s', async (number, advice) => {
    const { attempt, outcome } = await processor.authorize({ number });
    expect(advices).toContain(advice);
    expect(outcome).toMatchObject({ kind: 'declined', advice: takesMoney ? advice : 'later' });
    if (takesMoney) expect((await processor.find(attempt)).outcome).toEqual(outcome);
  });

  describe('a network that fails', () => {
    needsNetwork('what was not sent has no effect, and is sent again with the same attempt', async () => {
      const { attempt: held } = await processor.authorize({ capture: false });
      for (const verb of ['authorize', 'capture', 'refund', 'cancel'] as const) {
        await processor.fault('not_sent', verb);
        const attempt = newAttempt();
        const ask = () =>
          verb === 'authorize' ? processor.authorize({ attempt }) : processor[verb]({ of: held, attempt });
        expect((await ask()).outcome.kind).toBe('not_sent');
        expect((await processor.find(attempt, verb)).outcome).toEqual({ kind: 'not_found' });
        if (verb !== 'cancel') expect((await ask()).outcome.kind).toBe('approved');
      }
      expect((await processor.charges()).map(({ net }) => net)).toEqual([0, 1_000]);
    });

    needsNetwork('an inquiry that could not be sent never says that its attempt was not', async () => {
      const { attempt } = await processor.authorize();
      await processor.fault('not_sent', 'find');
      const told = await processor.find(attempt).catch(() => ({ outcome: { kind: 'unknown' } }));
      expect(told.outcome.kind).toBe('unknown');
      expect((await processor.find(attempt)).outcome.kind).toBe('approved');
    });

    needsNetwork('what was lost on its way back is found, and has one effect when it is asked for again', async () => {
      await processor.fault('lose_reply', 'authorize');
      const attempt = newAttempt();
      const told = await processor.authorize({ attempt }).catch(() => ({ outcome: { kind: 'unknown' } }));
      expect(told.outcome.kind).toBe('unknown');
      expect((await processor.find(attempt)).outcome.kind).toBe('approved');
      expect((await processor.authorize({ attempt })).outcome.kind).toBe('approved');
      expect(await processor.charges()).toHaveLength(1);
    });

    needsNetwork('an answer that contradicts an earlier one is passed on, and changes nothing', async () => {
      const { attempt, outcome } = await processor.authorize();
      await processor.fault('contradict', 'find');
      expect((await processor.find(attempt)).outcome.kind).toBe('declined');
      expect((await processor.find(attempt)).outcome).toEqual(outcome);
      expect(await processor.charges()).toMatchObject([{ net: 1_000 }]);
    });
  });

  describe('without the cardholder', () => {
    const once = '4000002500003155';
    const absent = { initiator: 'merchant', storedCredential: 'subsequent' } as const;
    const authentication = {
      kind: 'declined',
      code: 'card_declined',
      declineCode: 'authentication_required',
      advice: 'authenticate',
    };
    const ask = async (request: Partial<AuthorizeRequest> & { number?: string }) =>
      (await processor.authorize(request)).outcome;
    const networkId = (outcome: object) => (outcome as { networkTransactionId: string }).networkTransactionId;

    /** The cardholder is challenged and approves. */
    async function authenticated(instrument = cardOf(once)): Promise<string> {
      const { attempt, outcome } = await processor.authorize({ instrument, storedCredential: 'first' });
      const { url } = outcome as { url: string };
      await processor.challenges.decide(url.slice(url.lastIndexOf('/') + 1), 'approve');
      return networkId((await processor.find(attempt)).outcome);
    }

    needs('a plain card is approved', async () => {
      const networkTransactionId = networkId(await ask({ storedCredential: 'first' }));
      expect(await ask({ ...absent, networkTransactionId })).toMatchObject({ kind: 'approved' });
    });

    needs.each(['4000000000003220', '4000008400001629', once])(
      '%s is declined, and no page is made',
      async (number) => {
        for (const networkTransactionId of [undefined, '123456789012345'])
          expect(await ask({ ...absent, number, networkTransactionId })).toMatchObject(authentication);
        expect((await processor.charges()).map(({ authorized }) => authorized)).toEqual([0, 0]);
      },
    );

    needs.each(['4000000000003220', '4000008400001629', once])(
      '%s is declined too where a challenge of the cardholder is not wanted',
      async (number) => {
        expect(await ask({ number, declinesChallenge: true })).toMatchObject(authentication);
        expect((await processor.charges()).map(({ authorized }) => authorized)).toEqual([0]);
      },
    );

    needs('a card is approved by the id of a payment that its cardholder has approved, and by no other', async () => {
      const agreed = await authenticated();
      const other = networkId(await ask({}));
      expect(await ask({ ...absent, number: once, networkTransactionId: other })).toMatchObject(authentication);
      expect(await ask({ ...absent, number: once })).toMatchObject(authentication);
      const first = await ask({ ...absent, number: once, networkTransactionId: agreed });
      expect(first).toMatchObject({ kind: 'approved' });
      const next = await ask({ ...absent, number: once, networkTransactionId: networkId(first) });
      expect(next).toMatchObject({ kind: 'approved' });
      const stranger = { ...absent, number: once, networkTransactionId: agreed };
      expect((await world.processor().authorize(stranger)).outcome).toMatchObject(authentication);
    });

    needs('cards with the same number are different cards', async () => {
      const agreed = await authenticated();
      for (const more of [{ expYear: 2041 }, { expMonth: 11 }, { holder: { name: 'Jane' } }]) {
        const instrument = cardOf(once, more);
        expect(await ask({ instrument })).toMatchObject({ kind: 'requires_action' });
        expect(await ask({ ...absent, instrument, networkTransactionId: agreed })).toMatchObject(authentication);
      }
      expect(await ask({ number: once })).toMatchObject({ kind: 'approved' });
      // Neither the code nor the address makes it another card.
      const moved = cardOf(once, { cvc: undefined, holder: { address: { line1: 'Elsewhere' } } });
      expect(await ask({ instrument: moved })).toMatchObject({ kind: 'approved' });
    });
  });

  describe('after a setup', () => {
    const once = '4000002500003155';
    const absent = { initiator: 'merchant', storedCredential: 'subsequent' } as const;

    /** The cardholder is challenged and approves. */
    async function setUp(number: string): Promise<string> {
      const { attempt, outcome } = await processor.setup({ number });
      const { url } = outcome as { url: string };
      expect((await processor.challenges.decide(url.slice(url.lastIndexOf('/') + 1), 'approve'))!.attempt).toBe(
        attempt,
      );
      const found = (await processor.find(attempt, 'setup')).outcome as Traces & { kind: string };
      expect(found.kind).toBe('approved');
      return found.networkTransactionId!;
    }

    needs('the card that is authenticated once is charged without the cardholder', async () => {
      const networkTransactionId = await setUp(once);
      const charge = { ...absent, number: once, networkTransactionId };
      expect((await processor.authorize(charge)).outcome.kind).toBe('approved');
      expect((await processor.authorize({ ...charge, networkTransactionId: undefined })).outcome.kind).toBe('declined');
      expect((await processor.authorize({ number: once })).outcome.kind).toBe('approved');
      expect((await processor.setup({ number: once })).outcome.kind).toBe('approved');
    });

    needs('the card that is authenticated each time is declined without the cardholder', async () => {
      const number = '4000000000003220';
      const networkTransactionId = await setUp(number);
      expect((await processor.authorize({ ...absent, number, networkTransactionId })).outcome).toMatchObject({
        kind: 'declined',
        declineCode: 'authentication_required',
      });
    });

    needs('of a token the same holds', async () => {
      expect((await processor.setup({ instrument: tokenOf('tok_visa') })).outcome.kind).toBe('approved');
      expect((await processor.setup({ instrument: tokenOf('tok_nobody') })).outcome.kind).toBe('declined');
    });

    needsNetwork('what was lost on its way is found, or is not', async () => {
      for (const [kind, found] of [
        ['lose_reply', 'approved'],
        ['not_sent', 'not_found'],
      ] as const) {
        await processor.fault(kind, 'setup');
        const attempt = newAttempt();
        await processor.setup({ attempt }).catch(() => undefined);
        expect((await processor.find(attempt, 'setup')).outcome.kind).toBe(found);
      }
    });
  });

  describe('tokens', () => {
    const retrieve = (token: string) => processor.connector.retrieveToken!(new Secret(token));
    const attach = (token: string, id: string) =>
      processor.connector.attachToken!({ token: new Secret(token), holder: {}, id });

    needs('a token is looked up, charged and stored nowhere', async () => {
      const card = { brand: 'mastercard', last4: '4444', expMonth: expect.any(Number), expYear: expect.any(Number) };
      expect(await retrieve('tok_mastercard')).toEqual({ ...card, customer: undefined });
      const reply = await processor.authorize({ instrument: tokenOf('tok_mastercard') });
      expect(reply.outcome).toMatchObject({ kind: 'approved', cvcResult: 'U' });
      expect(await processor.charges()).toMatchObject([{ net: 1_000, last4: '4444' }]);
      const kept = JSON.stringify([reply.exchange, await processor.entries()]);
      expect(kept).not.toContain('tok_mastercard');
      expect(kept).toContain('4444');
    });

    needs('a token that it does not know is declined, and cannot be kept', async () => {
      for (const token of ['tok_', 'tok_constructor', '4242424242424242', 'visa', '']) {
        expect(await retrieve(token)).toBeUndefined();
        expect(await attach(token, 'k')).toEqual({ refused: expect.stringMatching(/\w/) });
      }
      const { outcome } = await processor.authorize({ instrument: tokenOf('tok_nobody') });
      expect(outcome).toMatchObject({ kind: 'declined', code: 'processing_error', advice: 'another_method' });
    });

    needs('a token is kept once per id; one that is attached already stays where it is', async () => {
      const first = await attach('tok_visa', 'pm_1');
      expect(first).toEqual({ customer: expect.stringMatching(/\w/) });
      expect(await attach('tok_visa', 'pm_1')).toEqual(first);
      expect(await attach('tok_visa', 'pm_2')).not.toEqual(first);
      const attached = await retrieve('card_visa');
      expect(attached!.customer).toMatch(/\w/);
      expect(await attach('card_visa', 'pm_3')).toEqual({ customer: attached!.customer });
    });

    needs('a token stands for a test card with all that the card does', async () => {
      const kindOf = async (token: string) => (await processor.authorize({ instrument: tokenOf(token) })).outcome.kind;
      expect(await kindOf('tok_chargeDeclined')).toBe('declined');
      expect(await kindOf('tok_authenticationRequired')).toBe('requires_action');
      expect(await kindOf('card_visa')).toBe('approved');
    });
  });

  describe('notices that are sent', () => {
    const read = (attempt: string) => processor.connector.inbound!.read(processor.signed(attempt), clock.now());
    const accept = (...signed: Parameters<Processor['signed']>) =>
      processor.connector.inbound!.accept(processor.signed(...signed), clock.now());

    needsAccount('a signed one is accepted under its own id, for five minutes', () => {
      const attempt = newAttempt();
      expect(accept(attempt, { id: 'evt_1' })).toEqual({ id: 'evt_1' });
      expect(accept(attempt, { id: 'evt_1' })).toEqual({ id: 'evt_1' });
      for (const age of [299_000, -299_000]) expect(accept(attempt, { now: clock.now() - age })).toBeDefined();
      for (const age of [302_000, -302_000, clock.now()])
        expect(accept(attempt, { now: clock.now() - age })).toBeUndefined();
      expect(accept(attempt, { secret: 'another' })).toBeUndefined();
    });

    needsAccount('one that was altered, or has no signature, or makes no sense, is not accepted', () => {
      const { inbound } = processor.connector;
      const { headers, body } = processor.signed(newAttempt());
      const [header, value] = Object.entries(headers)[0]!;
      const changed = Buffer.from(body.toString().replace('evt', 'evv'));
      const bare = value.slice(value.indexOf('v1='));
      const requests = [
        { headers, body: changed },
        { headers, body: Buffer.concat([body, Buffer.from(' ')]) },
        { headers: {}, body },
        ...['', 'x', bare, `${value}0`, value.toUpperCase(), `${value},${bare}`].map((text) => ({
          headers: { [header]: text },
          body,
        })),
      ];
      for (const request of requests) expect(inbound!.accept(request, clock.now())).toBeUndefined();
      for (const id of ['no attempt', '']) expect(accept(id)).toBeUndefined();
    });

    needsAccount('the body is only a hint: the processor is asked what there is to report', async () => {
      const { attempt } = await processor.authorize({ number: '4000000000000259' });
      const [opened] = await read(attempt);
      expect(opened).toMatchObject({
        kind: 'dispute_opened',
        authorization: attempt,
        account: processor.connector.account,
      });
      expect(await read(attempt)).toEqual([opened]);
      expect(await processor.notices()).toEqual([opened]);
      const { attempt: plain } = await processor.authorize();
      expect(await read(plain)).toMatchObject([{ kind: 'attempt_changed', attempt: plain, tenant: processor.tenant }]);
      expect(await read(newAttempt())).toEqual([]);
      const { attempt: foreign } = await processor.another().authorize();
      expect(await read(foreign)).toEqual([]);
    });

    needsAccount('tells the end of a refund, and that an authorization has expired; a setup never does', async () => {
      const { attempt: of } = await processor.authorize({ number: '4000000000005126' });
      const { attempt: refund } = await processor.refund({ of });
      expect(await read(refund)).toMatchObject([
        { kind: 'refund_settled', attempt: refund, outcome: { kind: 'declined' } },
      ]);
      const { attempt: held } = await processor.authorize({ capture: false });
      const { attempt: setUp } = await processor.setup();
      expect(await read(held)).toMatchObject([{ kind: 'attempt_changed' }]);
      clock.advance(processor.connector.describe().authorizationDays * dayMs + 1);
      expect(await read(held)).toMatchObject([{ kind: 'authorization_expired', attempt: held }]);
      expect(await read(setUp)).toMatchObject([{ kind: 'attempt_changed', attempt: setUp }]);
      expect((await processor.capture({ of: held })).outcome).toMatchObject({ kind: 'declined', advice: 'never' });
      expect((await processor.cancel({ of: held })).outcome.kind).toBe('approved');
      expect(await read(held)).toMatchObject([{ kind: 'attempt_changed' }]);
    });

    needsAccount('what was sent and never arrived is found by polling', async () => {
      const poll = (since: string | undefined) => processor.connector.poll!({ since, now: clock.now() });
      const { attempt } = await processor.authorize({ number: '4000000000000259' });
      const { notices, next } = await poll(undefined);
      expect(notices).toMatchObject([{ kind: 'dispute_opened', authorization: attempt }]);
      await processor.acknowledge(notices);
      expect((await poll(undefined)).notices).toEqual(notices);
      clock.advance(dayMs);
      const later = await poll(next);
      expect(later.notices.map(({ id }) => id)).toEqual(notices.map(({ id }) => id));
      expect((await poll(later.next)).notices).toEqual([]);
      expect((await processor.another().connector.poll!({ since: undefined, now: clock.now() })).notices).toEqual([]);
    });
  });

  needsAccount('its credentials can be tried, and name the account at the processor', async () => {
    const told = await processor.connector.verify!();
    expect(told).toEqual({ ok: true, message: expect.any(String), identity: expect.any(String) });
    expect((await processor.another().connector.verify!()).identity).not.toBe(told.identity);
  });

  needs('its statement names fee, net and the day on which the money can be paid out', async () => {
    const { attempt: of } = await processor.authorize({ money: { amount: 10_050, currency: 'eur' } });
    await processor.refund({ of, amount: 50 });
    const lines = await processor.statement();
    const nets = { payment: (fee: number) => 10_050 - fee, refund: (fee: number) => -50 - fee };
    for (const { kind, fee, net, availableOn, at, payout } of lines) {
      expect(fee).toBeGreaterThanOrEqual(0);
      expect(net).toBe(nets[kind as 'payment' | 'refund'](fee!));
      expect(availableOn!.getTime()).toBeGreaterThan(at.getTime());
      expect(payout).toBeUndefined();
    }
    expect(lines.map(({ kind }) => kind).sort()).toEqual(['payment', 'refund']);
  });

  needs('each line of its statement has a gross, of which the fee leaves the net', async () => {
    const { attempt: of } = await processor.authorize({ capture: false, money: { amount: 20_000, currency: 'eur' } });
    await processor.capture({ of, amount: 12_000 });
    await processor.refund({ of, amount: 500 });
    const lines = await processor.statement();
    for (const { gross, fee, net } of lines) expect(gross! - fee!).toBe(net);
    const sum = (kinds: string[]) =>
      lines.filter(({ kind }) => kinds.includes(kind)).reduce((all, { gross }) => all + gross!, 0);
    expect([sum(['payment', 'release']), sum(['refund'])]).toEqual([12_000, -500]);
  });

  needs('a payout is a line of the statement, and the sum of the lines that name it', async () => {
    const { attempt: of } = await processor.authorize({ money: { amount: 20_000, currency: 'eur' } });
    await processor.authorize({ money: { amount: 300, currency: 'usd' } });
    await processor.refund({ of, amount: 500 });
    clock.advance(10 * dayMs);
    const lines = await processor.statement();
    const payouts = lines.filter(({ kind }) => kind === 'payout');
    expect(payouts.map(({ money }) => money.currency).sort()).toEqual(['eur', 'usd']);
    for (const { reference, money, net, at } of payouts) {
      const paid = lines.filter(({ payout }) => payout === reference);
      const sum = paid.reduce((total, line) => total + line.net!, 0);
      expect([money.amount, net]).toEqual([sum, -sum]);
      for (const line of paid) expect([line.availableOn, line.money.currency]).toEqual([at, money.currency]);
      expect(await processor.statement({ from: at, to: new Date(at.getTime() + 1) })).toHaveLength(2);
    }
    const total = lines.reduce((sum, { net }) => sum + net!, 0);
    expect(total).toBe(0);
  });
});
