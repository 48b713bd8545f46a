import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { newId } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import type { FakeDispute, FakeIntent } from '../../fakes/stripe/shapes.ts';
import type {
  AttemptId,
  Authorization,
  AuthorizeRequest,
  Connector,
  Notice,
  RequestedPage,
  StatementLine,
} from '../contract.ts';
import { createHttp } from '../http.ts';
import { createConnectors } from '../index.ts';
import { none } from '../none/index.ts';
import {
  authorizationAt,
  type Charge,
  cardOf,
  isElsewhere,
  newAttempt,
  plainCharge,
  setupAt,
  type TestedProcessor,
  type TestedWorld,
} from '../processor.fixture.ts';
import { type ConnectorTools, type OpenAccount, connector as register } from '../registration.ts';
import type { BankAnswer, PayCard } from '../simulator/pay_decision.ts';
import { accountForm, stripe } from './index.ts';
import { checking } from './stripe.fixture.ts';

const violations: string[] = [];

/** The connector, for a fake on this machine. Every request is checked. */
export const checked = register({
  name: stripe.name,
  settings: () => undefined,
  create: ({ clock }) => {
    const rules = { allowedHosts: [], isDevelopment: true };
    return { accounts: accountForm({ send: checking(createHttp(), violations), clock, rules }) };
  },
});

/** The real connector and a fake Stripe, over real sockets. Every tenant has its own account and its own Stripe. */
export async function openStripeWorld(clock: Clock): Promise<TestedWorld> {
  const started: Promise<FakeStripe>[] = [];
  let tenants = 0;
  return {
    processor() {
      const fake = startFakeStripe({ port: 0, clock, rawCards: true });
      started.push(fake);
      return stripeProcessor(fake, ++tenants as Tenant, clock);
    },
    async stop() {
      for (const fake of started) await (await fake).close();
      assert(violations.length === 0, violations.join('\n'));
    },
  };
}

function stripeProcessor(fake: Promise<FakeStripe>, tenant: Tenant, clock: Clock): TestedProcessor {
  const id = newId('pa', clock.now());
  const opening = fake.then(({ url, secretKey, webhookSecret }): OpenAccount => {
    const credentials = { secret_key: new Secret(secretKey), webhook_secret: new Secret(webhookSecret) };
    return { id, tenant, mode: 'test', credentials, settings: { api_base: url, raw_cards: true } };
  });
  const limits = { clock, deadlineMs: 15_000, onLate: () => {} };
  const connectors = createConnectors({
    registrations: [none, checked],
    settings: {},
    modes: { test: 'none', live: 'none' },
    tools: { clock } as ConnectorTools,
    report: async () => {},
    openAccount: () => opening,
    limits,
  });
  const connector = lazily(() => connectors.of({ tenant, connector: 'stripe', processor_account: id }), id);
  /** What each attempt was about, as the gateway's rows would tell. */
  const known = new Map<AttemptId, { authorization?: Authorization; dispute?: string }>();
  const asked = () => ({ tenant, attempt: newAttempt(), now: clock.now() });
  const money = (amount = 1_000) => ({ amount, currency: 'eur' });
  const authorizationOf = (of: AttemptId) => known.get(of)?.authorization ?? authorizationAt(of);
  const remembered = <R extends { attempt: AttemptId; authorization?: Authorization; dispute?: string }>(
    request: R,
  ): R => {
    const { attempt, authorization, dispute } = request;
    known.set(attempt, { ...(authorization ? { authorization } : {}), ...(dispute === undefined ? {} : { dispute }) });
    return request;
  };
  const acknowledged = new Set<string>();
  return {
    connectors,
    connector,
    tenant,
    forgetsRefusals: true,
    async authorize({ number = '4242424242424242', ...more } = {}) {
      const charge = { payment: 'pay_1', money: money(), capture: true, ...plainCharge, instrument: cardOf(number) };
      const request = { ...asked(), ...charge, ...more };
      const { attempt, payment, capture } = request;
      const authorization = { attempt, payment, capture, money: request.money, reference: undefined };
      known.set(attempt, { authorization: { ...authorization, page: pageIn(request) } });
      return { ...(await connector.authorize(request)), verdict: 'committed' };
    },
    async payOn(url, card = 'visa', answer) {
      await payOn(url, card, answer);
    },
    capture: ({ of, amount, ...more }) =>
      connector.capture!(remembered({ authorization: authorizationOf(of), money: money(amount), ...asked(), ...more })),
    cancel: ({ of, ...more }) =>
      connector.cancel!(remembered({ authorization: authorizationOf(of), ...asked(), ...more })),
    refund: ({ of, amount, ...more }) =>
      connector.refund!(remembered({ authorization: authorizationOf(of), money: money(amount), ...asked(), ...more })),
    contest: (request) =>
      connector.contest!(remembered({ evidence: { uncategorized_text: 'It was sent.' }, ...asked(), ...request })),
    concede: (request) => connector.concede!(remembered({ ...asked(), ...request })),
    setup: ({ number = '4242424242424242', ...more } = {}) => {
      const facts = { setup: 'set_1', instrument: cardOf(number), returnUrl: plainCharge.returnUrl };
      return connector.setup!({ ...asked(), ...facts, ...more });
    },
    cancelSetup: ({ of, ...more }) => connector.cancelSetup!({ setup: setupAt(of), ...asked(), ...more }),
    async notices() {
      const { notices } = await connector.poll!({ since: undefined, now: clock.now() });
      return notices.filter((notice) => isOfDispute(notice) && !acknowledged.has(notice.id));
    },
    async byHand(verb, of, amount) {
      const { world, byHand } = await fake;
      const intent = world.all<FakeIntent>('payment_intent').find(({ metadata }) => metadata.tollgate_attempt === of)!;
      return (verb === 'cancel' ? byHand.cancel(intent.id) : byHand[verb](intent.id, amount)).id;
    },
    async elsewhere() {
      const { notices } = await connector.poll!({ since: undefined, now: clock.now() });
      return notices.filter(isElsewhere);
    },
    acknowledge: async (notices) => notices.forEach(({ id }) => void acknowledged.add(id)),
    async statement({ from = new Date(0), to = new Date(clock.now() + 1_000) } = {}) {
      const lines: StatementLine[] = [];
      for await (const page of connector.statement!({ from, to })) lines.push(...page);
      return lines;
    },
    find(attempt, verb = 'authorize', more = {}) {
      const about = { authorization: undefined, dispute: undefined, reference: undefined, ...known.get(attempt) };
      return connector.find({ ...asked(), attempt, verb, ...about, ...more });
    },
    charges: async () => chargesIn(await fake),
    entries: async () => entriesIn(await fake),
  };
}

/** As the gateway stores it with the attempt. */
function pageIn({ instrument, returnUrl, authentication }: AuthorizeRequest): RequestedPage | undefined {
  if (instrument.kind !== 'page') return undefined;
  const { kind: _, holder: __, ...terms } = instrument;
  return { ...terms, returnUrl, authentication };
}

const numbers: Partial<Record<PayCard, string>> = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  authenticationRequired: '4000002760003184',
  chargeDeclined: '4000000000000002',
  chargeDeclinedInsufficientFunds: '4000000000009995',
};

/** The shopper on the page of the fake. Without an answer to the bank they go away. */
export async function payOn(url: string, card: PayCard, answer?: BankAnswer): Promise<void> {
  const number = numbers[card];
  assert(number, `${card} is not on the page of the fake`);
  const body = new URLSearchParams({ decision: 'pay', number, expiry: '12/40', cvc: '123', email: 'ada@example.com' });
  const paid = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const challenge = paid.headers.get('location') ?? '';
  if (answer === undefined || !challenge.includes('/_fake/challenge/')) return;
  const decision = new URLSearchParams({ decision: answer === 'approve' ? 'approve' : 'fail' });
  await fetch(challenge, { method: 'POST', body: decision, redirect: 'manual' });
}

/** The connector of an account that is opened with the first call. */
function lazily(open: () => Promise<Connector>, account: OpenAccount['id']): Connector {
  const later =
    (verb: keyof Connector) =>
    async (...given: unknown[]) => {
      const opened = (await open()) as unknown as Record<string, (...args: unknown[]) => unknown>;
      return opened[verb]!(...given);
    };
  const verbs = [
    'authorize',
    'capture',
    'cancel',
    'refund',
    'contest',
    'concede',
    'setup',
    'cancelSetup',
    'find',
    'poll',
    'keepCard',
    'forget',
  ] as const;
  return {
    ...{ name: 'stripe', place: 'remote', account },
    ...Object.fromEntries(verbs.map((verb) => [verb, later(verb)])),
    async *statement(range: { from: Date; to: Date }) {
      yield* (await open()).statement!(range);
    },
  } as unknown as Connector;
}

function isOfDispute({ kind }: Notice): boolean {
  return kind === 'dispute_opened' || kind === 'dispute_closed';
}

/** The fake's own books, by intent. */
function chargesIn({ world, books }: FakeStripe): Charge[] {
  const effects = books();
  const total = (intent: string, ...kinds: string[]) =>
    effects
      .filter((one) => one.payment_intent === intent && kinds.includes(one.kind))
      .reduce((sum, one) => sum + one.amount, 0);
  return world.all<FakeIntent>('payment_intent').map(({ id, status, metadata }) => {
    const reversal = effects.find((one) => one.payment_intent === id && one.metadata.tollgate_reversal !== undefined);
    const captured = total(id, 'charge', 'capture');
    const given = total(id, 'refund');
    const disputes = world
      .all<FakeDispute>('dispute')
      .filter((one) => one.payment_intent === id && one.status !== 'won');
    const disputed = disputes.reduce((all, { amount }) => all + amount, 0);
    return {
      attempt: metadata.tollgate_attempt!,
      authorized: total(id, 'charge', 'authorization'),
      captured,
      refunded: given - (reversal?.amount ?? 0),
      disputed,
      canceled: status === 'canceled' || reversal !== undefined,
      net: captured - given - disputed,
    };
  });
}

/** What the fake has been told about disputes. */
function entriesIn({ world }: FakeStripe): { verb: string }[] {
  return world
    .all<FakeDispute>('dispute')
    .flatMap(({ evidence_details, metadata, status }) => [
      ...Array.from({ length: evidence_details.submission_count }, () => ({ verb: 'contest' })),
      ...(status === 'lost' && metadata.tollgate_concession !== undefined ? [{ verb: 'concede' }] : []),
    ]);
}
