import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { places } from '../../test/torture.ts';
import { type Notice, verbs } from '../contract.ts';
import { newAttempt, openWorld, type Processor, tokenOf, type World } from '../processor.fixture.ts';
import { cards } from './cards.ts';
import { tokenizedCards } from './tokens.ts';

let world: World;
let processor: Processor;
beforeAll(async () => {
  world = await openWorld('simulator, account');
});
afterAll(() => world.stop());
beforeEach(() => {
  processor = world.processor();
});

const unknown = (declineCode: string) => ({ kind: 'declined', code: 'processing_error', declineCode, advice: 'never' });

describe.each(places)('another account, %s', (place) => {
  const another = () => processor.another({ place });

  test('knows nothing of the attempts of the first one, and leaves its books as they are', async () => {
    const { attempt: of } = await processor.authorize({ capture: false });
    const other = another();
    for (const verb of verbs) expect((await other.find(of, verb)).outcome).toEqual({ kind: 'not_found' });
    for (const verb of ['capture', 'refund', 'cancel'] as const)
      expect((await other[verb]({ of })).outcome).toMatchObject(unknown('unknown_authorization'));
    expect(await processor.entries()).toHaveLength(1);
    expect((await processor.capture({ of })).outcome.kind).toBe('approved');
  });

  test('knows nothing of its disputes, notices and statement', async () => {
    const { attempt } = await processor.authorize({ number: '4000000000000259' });
    const other = another();
    const { attempt: theirs } = await other.authorize({ number: '4000000000000259' });
    const [opened, ...more] = await processor.notices();
    expect([opened, more]).toMatchObject([{ authorization: attempt, account: processor.connector.account }, []]);
    expect(await other.notices()).toMatchObject([{ authorization: theirs, account: other.connector.account }]);
    const { dispute } = opened as Extract<Notice, { kind: 'dispute_opened' }>;
    for (const verb of ['contest', 'concede'] as const)
      expect((await other[verb]({ dispute })).outcome).toMatchObject(unknown('unknown_dispute'));
    const paid = async (one: Processor) => (await one.statement()).filter(({ kind }) => kind === 'payment');
    expect(await paid(processor)).toMatchObject([{ reference: attempt }]);
    expect(await paid(other)).toMatchObject([{ reference: theirs }]);
  });

  test('a cardholder who has approved a card through one account has approved it for the other', async () => {
    const once = '4000002500003155';
    const { outcome } = await processor.authorize({ number: once });
    const { url } = outcome as { url: string };
    const token = url.slice(url.lastIndexOf('/') + 1);
    const decided = await processor.challenges.decide(token, 'approve');
    expect(decided).toMatchObject({ account: processor.connector.account });
    expect((await another().authorize({ number: once })).outcome.kind).toBe('approved');
  });
});

describe.each(places)('an account, %s, that behaves', (place) => {
  test('as unreachable: nothing is sent, and an inquiry fails', async () => {
    const { attempt: of } = await processor.authorize({ capture: false });
    const account = processor.another({ place, behaves: 'unreachable' });
    const asked = { of, dispute: 'dp' };
    for (const verb of ['capture', 'cancel', 'refund', 'contest', 'concede'] as const)
      expect((await account[verb](asked)).outcome).toEqual({ kind: 'not_sent', reason: 'ECONNREFUSED' });
    const { attempt, outcome, exchange } = await account.authorize();
    expect(outcome.kind).toBe('not_sent');
    expect(exchange).toMatchObject({ request: { verb: 'authorize', attempt }, response: null });
    await expect(account.find(attempt)).rejects.toThrow('ECONNREFUSED');
    const { connector } = account;
    const { token } = tokenOf('tok_visa') as Extract<ReturnType<typeof tokenOf>, { kind: 'token' }>;
    await expect(connector.retrieveToken!(token)).rejects.toThrow('ECONNREFUSED');
    await expect(connector.attachToken!({ token, holder: {}, id: 'pm_1' })).rejects.toThrow('ECONNREFUSED');
    expect(await connector.verify!()).toEqual({ ok: false, message: expect.stringContaining('unreachable') });
    expect(await processor.entries()).toHaveLength(1);
  });

  test('as busy: another processor may approve, and everything else works', async () => {
    const account = processor.another({ place, behaves: 'busy' });
    const { attempt, outcome } = await account.authorize();
    const declined = { kind: 'declined', code: 'processing_error', declineCode: 'processor_busy' };
    expect(outcome).toMatchObject({ ...declined, advice: 'another_processor' });
    expect((await account.find(attempt)).outcome).toEqual(outcome);
    expect((await account.cancel({ of: attempt })).outcome.kind).toBe('approved');
    expect((await account.charges()).map(({ net }) => net)).toEqual([0]);
  });

  test('as silent: an authorization takes effect, and only an inquiry tells', async () => {
    const account = processor.another({ place, behaves: 'silent' });
    const { attempt: of, outcome, exchange } = await account.authorize({ capture: false });
    expect(outcome.kind).toBe('unknown');
    expect(exchange).toMatchObject({ response: null });
    expect((await account.find(of)).outcome.kind).toBe('approved');
    expect((await account.capture({ of })).outcome.kind).toBe('approved');
    expect((await account.charges()).map(({ net }) => net)).toEqual([1_000]);
  });
});

test('the decision on a challenge page is reported for the account', async () => {
  const { attempt, outcome } = await processor.authorize({ number: '4000000000003220' });
  const { url } = outcome as { url: string };
  const token = url.slice(url.lastIndexOf('/') + 1);
  const [page] = processor.connectors.pages;
  const request = { method: 'POST', params: { token }, query: '', headers: {}, address: '' } as const;
  expect((await page!.render({ ...request, body: Buffer.from('decision=approve') })).status).toBe(303);
  const source = { connector: 'simulator', processor_account: processor.connector.account };
  expect(processor.reported()).toMatchObject([{ notice: { kind: 'attempt_changed', attempt }, source }]);
});

test('the setting of the gateway decides where an account stands, unless it has its own setting', () => {
  expect(processor.connector.place).toBe('remote');
  expect(processor.another().connector.place).toBe('local');
});

test('the settings of an account are checked', () => {
  const form = processor.connectors.formOf('simulator')!;
  const objection = (settings: Record<string, string | boolean>) =>
    form.objection({ mode: 'test', credentials: {}, settings });
  expect([objection({}), objection({ place: 'local', behaves: 'busy' })]).toEqual([undefined, undefined]);
  const places = { param: 'settings.place', reason: 'it must be one of local, remote' };
  for (const place of ['', 'moon', 'LOCAL', true, 'toString']) expect(objection({ place })).toEqual(places);
  expect(objection({ behaves: 'well' })).toMatchObject({ param: 'settings.behaves' });
  expect(form.modes).toEqual(['test']);
});

test('without a secret no notice is accepted', () => {
  const { connectors, tenant, signed } = processor;
  const id = processor.connector.account!;
  const bare = connectors.open('simulator', { id, tenant, mode: 'test', credentials: {}, settings: {} });
  expect(bare.inbound!.accept(signed(newAttempt()), Date.now())).toBeUndefined();
});

test('every test card can be charged by a token', () => {
  const numbers = Object.values(tokenizedCards).map(({ number }) => number);
  expect(numbers.sort()).toEqual(Object.keys(cards).sort());
});
