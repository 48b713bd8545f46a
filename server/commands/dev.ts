import { join } from 'node:path';
import { randomBase62 } from '../base/id.ts';
import { openLog } from '../base/log.ts';
import type { Mode } from '../base/reads.ts';
import { pathFromHere, shellWord } from '../base/shell.ts';
import { readConfig } from '../config.ts';
import type { Announce } from '../database.ts';
import { type Gateway, startGateway } from '../main.ts';
import type { Services } from '../operations/services.ts';
import { firstKeyName } from '../resources/people/accounts/account.ts';
import type { AccountWithKeys, ShownAccount } from '../resources/people/accounts/schema.ts';
import type { NewKeyShown, ShownKey } from '../resources/people/api_keys/schema.ts';
import { findKeysByHash } from '../resources/people/api_keys/store.ts';
import type { NewUserShown } from '../resources/people/users/schema.ts';
import type { ShownPaymentLink } from '../resources/selling/payment_links/schema.ts';
import { operatorName } from './context.ts';
import { newSignInLink } from './dashboard.ts';
import { type DevFile, devFileOf, readDevFile, writeDevFile } from './dev_file.ts';
import { Operator, RefusedCommand } from './operator.ts';
import { announce } from './progress.ts';
import { untilStopped } from './run.ts';
import { findWrappers } from './wrappers.ts';

/** What other programs can read, and a link for the person who has started the server. */
type Provided = { file: DevFile; signIn: string };

type DemoKeys = Pick<DevFile, 'test_secret_key' | 'live_secret_key'>;

const demoName = 'Demo (tollgate dev)'; // a name that nobody gives to an account

/** What customers read on the page to pay on. */
const demoShop = 'Demo shop';

/** Development: one command, and the curl line that it prints works when pasted. */
export async function dev(): Promise<void> {
  const config = readConfig('dev');
  const { log, flush, loudLines } = openLog(config.logLevel);
  const wrappers = await findWrappers();
  const gateway = await startGateway(config, log, { loudLines, buildsDashboard: true, announce });
  const path = devFileOf(config.dataDir);
  const provided = await provideDevFile(gateway, path, announce).catch(async (error) => {
    await gateway.stop();
    throw error;
  });
  const stopped = untilStopped(gateway, log, wrappers); // before the welcome: its reader may stop the gateway immediately
  console.log(welcome(provided, path));
  await stopped;
  await flush();
  process.exit(0);
}

type Provider = Pick<Gateway, 'services' | 'port'> & { caFile?: string | undefined };

/** The keys are stored in dev.json alone: without it, new ones are made and the old ones are revoked. */
export async function provideDevFile(
  { services, port, caFile = '' }: Provider,
  path: string,
  tell: Announce = () => {},
): Promise<Provided> {
  const known = readDevFile(path);
  const base_url = `https://localhost:${port}`;
  const operator = new Operator(services, operatorName());
  const keys = (await validKeys(services, known)) ?? (await newKeys(operator, tell));
  const owner = await provideOwner(operator, known.dashboard);
  const link = await provideLink(operator, owner.account, known.payment_link);
  const dashboard = { url: `${base_url}/dashboard`, email: owner.email, password: owner.password };
  const file = {
    base_url,
    ca_file: caFile,
    account: owner.account,
    ...keys,
    payment_link: link.id,
    checkout_url: link.url,
    dashboard,
  };
  writeDevFile(path, file);
  return { file, signIn: (await newSignInLink(operator, dashboard.url, owner.id)).url };
}

const demoOffer = {
  line_items: [{ name: 'Teapot', unit_amount: 2_000, currency: 'eur' }],
  adjustable_quantity: { min: 1, max: 9 },
};

/** A page to pay on, made once. An update without a change sees to it that its address has the port of this start. */
async function provideLink(operator: Operator, account: string, known: string | undefined): Promise<ShownPaymentLink> {
  if (known !== undefined)
    try {
      return await operator.run<ShownPaymentLink>('payment_links.update', { account, id: known });
    } catch (error) {
      if (!(error instanceof RefusedCommand)) throw error; // it belongs to a database that is gone
    }
  return operator.run<ShownPaymentLink>('payment_links.create', { account, parameters: demoOffer });
}

const ownerEmail = 'owner@tollgate.localhost';
const passwordChars = 24;

/**
 * The owner of the demo account. A password that was lost with dev.json is replaced; one that the owner has chosen since is kept, and is
 * null here: nobody else knows it.
 */
async function provideOwner(operator: Operator, known: Partial<DevFile['dashboard']> | undefined) {
  const email = known?.email ?? ownerEmail;
  const password = known?.password ?? randomBase62(passwordChars);
  const account = (await demoAccount(operator))!.id;
  const parameters = { email, password, role: 'owner' };
  const { id, has_password } = await operator.run<NewUserShown>('users.create', { account, parameters });
  return { id, email, account, password: has_password ? password : null };
}

async function demoAccount(operator: Operator): Promise<ShownAccount | undefined> {
  const accounts = await operator.all<ShownAccount>('accounts.list');
  return accounts.find(({ name }) => name === demoName);
}

async function validKeys({ keyring, durable }: Services, known: Partial<DevFile>): Promise<DemoKeys | undefined> {
  const { test_secret_key, live_secret_key } = known;
  if (typeof test_secret_key !== 'string' || typeof live_secret_key !== 'string') return undefined;
  const hashes = [test_secret_key, live_secret_key].map((key) => keyring.hmac('api_key', key));
  const found = await findKeysByHash(durable.directory, hashes);
  const usable = [...found.values()].filter((key) => !key.revoked && !key.expired);
  return usable.length === 2 ? { test_secret_key, live_secret_key } : undefined;
}

async function newKeys(operator: Operator, tell: Announce): Promise<DemoKeys> {
  const demo = await demoAccount(operator);
  if (demo === undefined) {
    tell('Creating a demo account, its keys and its owner');
    const parameters = { name: demoName };
    const { id, ...keys } = await operator.run<AccountWithKeys>('accounts.create', { parameters });
    await operator.run('branding.update', { account: id, parameters: { display_name: demoShop } });
    const { test_secret_key, live_secret_key } = keys;
    return { test_secret_key, live_secret_key };
  }
  const test_secret_key = await replaceKey(operator, demo.id, 'test');
  const live_secret_key = await replaceKey(operator, demo.id, 'live');
  console.log(
    'dev.json was missing or did not hold the keys of the demo account: new keys were made, and the old ones are revoked.',
  );
  return { test_secret_key, live_secret_key };
}

async function replaceKey(operator: Operator, account: string, mode: Mode): Promise<string> {
  for (const { id, name, revoked_at } of await operator.all<ShownKey>('api_keys.list', { account, mode }))
    if (name === firstKeyName && revoked_at === undefined) await operator.run('api_keys.revoke', { account, mode, id });
  const parameters = { name: firstKeyName, kind: 'secret' };
  return (await operator.run<NewKeyShown>('api_keys.create', { account, mode, parameters })).key;
}

function welcome({ file, signIn }: Provided, path: string): string {
  const trust = file.ca_file === '' ? '' : ` --cacert ${shellWord(pathFromHere(file.ca_file))}`;
  return `
Tollgate is running.

  Dashboard ${signIn}
            (signs you in once, within 15 minutes; npx tollgate dashboard prints another)
  Checkout  ${file.checkout_url}
            (a page to pay on, with the test card 4242 4242 4242 4242)
  API       ${file.base_url}
  Docs      ${file.base_url}/docs
  Test key  ${file.test_secret_key}
  Details   ${pathFromHere(path)}

Try it:

  curl${trust} ${file.base_url}/v1/customers \\
    -H "Authorization: Bearer ${file.test_secret_key}" \\
    -d name="Ada Lovelace" -d email=ada@example.com

Ctrl-C stops it; the data stays in ${pathFromHere(join(path, '..'))}.
`;
}
