import { createHash, randomInt } from 'node:crypto';
import { type Clock, systemClock } from '../../base/clock.ts';
import { FakeFaults } from '../faults.ts';
import { type FakeProcessor, FakeServer, type FakeTls } from '../server.ts';
import { FakeApi, type FakeKeys } from './api.ts';
import { byHand } from './by_hand.ts';
import { servePage } from './challenge.ts';
import { serveCheckout } from './checkout_page.ts';
import { stripeCommands, teach } from './commands.ts';
import { isScript, serveStandIn } from './stand_in.ts';
import { FakeWebhooks } from './webhooks.ts';
import { FakeWorld } from './world.ts';
import { aboutAnother, contradicting } from './wrong_answers.ts';

export type FakeStripeOptions = {
  /** 0: any free port. */
  port: number;
  clock?: Clock;
  account?: string;
  /** Keys of live mode, and `livemode: true` everywhere. Money is pretended all the same. */
  livemode?: boolean;
  rawCards?: boolean;
  searchLagMs?: number;
  decisionMs?: number;
  /** Default: without a limit. Stripe has 25 in a sandbox, and 25 for each endpoint. */
  requestsPerSecond?: number;
  webhookUrl?: string;
  /** Without it the fake speaks plain HTTP. */
  tls?: FakeTls;
  /** For faults with a probability. Default: a random one. */
  seed?: number;
};

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

/** Starts a fake of Stripe on loopback. */
export async function startFakeStripe(options: FakeStripeOptions) {
  const { port, clock = systemClock, account = 'acct_fake', livemode = false, rawCards = false } = options;
  const { searchLagMs = 0, decisionMs = 0, requestsPerSecond = Number.POSITIVE_INFINITY } = options;
  const { seed = randomInt(2 ** 31), webhookUrl, tls } = options;
  const world = new FakeWorld({ clock, account, livemode, rawCards, searchLagMs, decisionMs, requestsPerSecond });
  const faults = new FakeFaults(seed);
  const keys = keysOf(account, livemode);
  const webhooks = new FakeWebhooks(world, keys.webhookSecret);
  if (webhookUrl !== undefined) webhooks.register(webhookUrl);
  const api = new FakeApi(world, webhooks, keys);
  const processor: FakeProcessor = {
    books: world,
    faults,
    notices: webhooks,
    commands: stripeCommands(world),
    answer: (request, fault) => api.answer(request, fault),
    page: (request) => servePage(world, request) ?? serveCheckout(world, request) ?? serveStandIn(request),
    isFile: isScript,
    aboutAnother: (body) => aboutAnother(world, body),
    contradicting,
  };
  const server = new FakeServer(processor, port, tls);
  await server.start();
  world.url = server.url;
  return {
    ...keys,
    account,
    url: server.url,
    port: server.port,
    world,
    faults,
    webhooks,
    /** Every effect so far, in its order. */
    books: () => world.effects,
    byHand: byHand(world),
    /** Teaches a card: see `/_fake/cards`. */
    teach: (card: { token: string } & Record<string, unknown>) => teach(world, card),
    /** Refuses connections for so long. */
    refuse: (ms: number) => server.refuse(ms),
    async close(): Promise<void> {
      await webhooks.close();
      await server.close();
    },
  };
}

/** They follow from the account, so that a fake that is started again has the same ones. */
function keysOf(account: string, livemode: boolean): FakeKeys & { webhookSecret: string } {
  const mode = livemode ? 'live' : 'test';
  const text = (of: string) => createHash('sha256').update(`${of} ${account}`).digest('hex').slice(0, 32);
  return {
    secretKey: `sk_${mode}_${text('secret')}`,
    publishableKey: `pk_${mode}_${text('publishable')}`,
    webhookSecret: `whsec_${text('webhook')}`,
  };
}
