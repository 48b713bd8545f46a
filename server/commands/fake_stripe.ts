import { readFileSync } from 'node:fs';
import { errorCode } from '../base/errors.ts';
import { FakeRefusal } from '../fakes/refusal.ts';
import type { FakeTls } from '../fakes/server.ts';
import { type FakeStripe, startFakeStripe } from '../fakes/stripe/index.ts';
import { UsageError } from './usage.ts';
import { findWrappers, watchWrappers } from './wrappers.ts';

type FakeStripeCommand = {
  port: string;
  webhookUrl?: string;
  account: string;
  live?: boolean;
  rawCards?: boolean;
  tlsCert?: string;
  tlsKey?: string;
};

/** Runs a fake of Stripe until it is stopped. It needs no database, and forgets everything when it ends. */
export async function fakeStripe(command: FakeStripeCommand): Promise<void> {
  const wrappers = await findWrappers();
  const fake = await start(command);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve());
    watchWrappers(wrappers, resolve);
  });
  console.log(welcome(fake, command.webhookUrl));
  await stopped;
  await fake.close();
  process.exit(0);
}

async function start(command: FakeStripeCommand): Promise<FakeStripe> {
  const { port, webhookUrl, account, live, rawCards } = command;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port takes a number from 0 to 65535');
  if (!/^acct_\w+$/.test(account)) throw new UsageError('--account takes an id that begins with acct_');
  const options = { port: Number(port), account, livemode: live ?? false, rawCards: rawCards ?? false };
  const tls = readTls(command);
  try {
    return await startFakeStripe({
      ...options,
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      ...(tls === undefined ? {} : { tls }),
    });
  } catch (error) {
    if (error instanceof FakeRefusal)
      throw new UsageError('--webhook-url takes an address on this machine, such as https://localhost:8443/hook');
    if (errorCode(error) === 'EADDRINUSE')
      throw new UsageError(`The port ${port} is in use by another program: choose another one with --port`);
    if (tls !== undefined && errorCode(error)?.startsWith('ERR_OSSL'))
      throw new UsageError('--tls-cert and --tls-key take a certificate and its key in PEM format');
    throw error;
  }
}

function readTls({ tlsCert, tlsKey }: FakeStripeCommand): FakeTls | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) throw new UsageError('--tls-cert and --tls-key belong together');
  return { cert: readPem('--tls-cert', tlsCert), key: readPem('--tls-key', tlsKey) };
}

function readPem(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${option} names ${path}, which cannot be read (${errorCode(error)})`);
  }
}

/** What it prints when it is ready. Guides read the address and the keys from it. */
export function welcome(fake: FakeStripe, webhookUrl?: string): string {
  const webhooks =
    webhookUrl === undefined
      ? `
Once the processor account has a webhook_url, have events sent there:

  curl ${fake.url}/_fake/webhooks -d '{"url": "<webhook_url>"}'
`
      : '';
  return `
Fake Stripe is running. It moves no money, and forgets everything when it stops.

  API              ${fake.url}
  Account          ${fake.account}
  Secret key       ${fake.secretKey}
  Publishable key  ${fake.publishableKey}
  Webhook secret   ${fake.webhookSecret}
  Webhooks go to   ${webhookUrl ?? 'nobody yet'}
  Seed of faults   ${fake.faults.seed}

Make it a processor account of your gateway:

  POST /v1/processor_accounts
    connector=stripe  name=Fake  settings[api_base]=${fake.url}
    credentials[secret_key]=${fake.secretKey}
    credentials[webhook_secret]=${fake.webhookSecret}
${webhooks}
What it has done so far: curl ${fake.url}/_fake/books

Ctrl-C stops it.
`;
}
