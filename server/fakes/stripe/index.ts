import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../../base/clock.ts';
import { deadline, every, type Timer } from '../../base/timers.ts';
import { FakeApi, type FakeKeys } from './api.ts';
import { byHand } from './by_hand.ts';
import { books, teach } from './control.ts';
import { FakeFaults } from './faults.ts';
import { FakeServer, type FakeTls } from './server.ts';
import { FakeWebhooks } from './webhooks.ts';
import { FakeWorld } from './world.ts';

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
  webhookUrl?: string;
  /** Without it the fake speaks plain HTTP. */
  tls?: FakeTls;
  /** For faults with a probability. Default: a random one. */
  seed?: number;
};

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

const catchUpEveryMs = 100;

/** Starts a fake of Stripe on loopback. */
export async function startFakeStripe(options: FakeStripeOptions) {
  const { port, clock = systemClock, account = 'acct_fake', livemode = false, rawCards = false } = options;
  const { searchLagMs = 0, decisionMs = 0, seed = randomInt(2 ** 31), webhookUrl, tls } = options;
  const world = new FakeWorld({ clock, account, livemode, rawCards, searchLagMs, decisionMs });
  const faults = new FakeFaults(seed);
  const keys = keysOf(account, livemode);
  const webhooks = new FakeWebhooks(world, keys.webhookSecret);
  if (webhookUrl !== undefined) webhooks.register(webhookUrl);
  let refusal: Timer | undefined;
  const refuse = async (ms: number) => {
    await stopListening();
    // It keeps the process alive, which has no listener meanwhile.
    const { passed, cancel } = deadline(ms);
    refusal = { cancel };
    passed.catch(listen);
  };
  const { server } = new FakeServer(new FakeApi(world, webhooks, keys), { world, faults, webhooks, refuse }, tls);
  let address = { port, host: '127.0.0.1' };
  const listen = async () => {
    server.listen(address);
    await once(server, 'listening');
    address = { ...address, port: (server.address() as AddressInfo).port };
  };
  const stopListening = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen();
  world.url = `${tls === undefined ? 'http' : 'https'}://${address.host}:${address.port}`;
  const tick = every(catchUpEveryMs, () => world.catchUp());
  return {
    ...keys,
    account,
    url: world.url,
    port: address.port,
    world,
    faults,
    webhooks,
    /** Every effect so far, in its order. */
    books: () => books(world).effects,
    byHand: byHand(world),
    /** Teaches a card: see `/_fake/cards`. */
    teach: (card: { token: string } & Record<string, unknown>) => teach(world, card),
    /** Refuses connections for so long. */
    refuse,
    async close(): Promise<void> {
      tick.cancel();
      refusal?.cancel();
      await webhooks.close();
      if (server.listening) await stopListening();
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
