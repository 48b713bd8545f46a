import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openLog } from '../base/log.ts';
import { connect } from '../base/sql.ts';
import { readConfig } from '../config.ts';
import { type Gateway, startGateway } from '../main.ts';
import { listAccounts } from '../resources/accounts/store.ts';
import type { ApiKey } from '../resources/api_keys/api_key.ts';
import { createKey, revokeKey } from '../resources/api_keys/manage.ts';
import { findKeysByHash, listKeys } from '../resources/api_keys/store.ts';
import { makeAccount } from './accounts.ts';
import { type KeyWork, operatorName } from './context.ts';
import { untilStopped } from './run.ts';

type DevFile = {
  base_url: string;
  ca_file: string;
  test_secret_key: string;
  live_secret_key: string;
};

const demoName = 'Demo (tollgate dev)'; // nobody calls theirs so

/** Development: one command, and the line that it prints works when pasted. */
export async function dev(): Promise<void> {
  const config = readConfig('dev');
  const { log, flush } = openLog(config.logLevel);
  const gateway = await startGateway(config, log);
  const path = join(config.dataDir, 'dev.json');
  const { file, notes } = await prepareDemo(gateway, readDevFile(path));
  writeDevFile(path, file);
  const stopped = untilStopped(gateway, log); // before it says that it runs: whoever reads that may stop it at once
  for (const note of notes) console.log(note);
  console.log(welcome(file, path));
  await stopped;
  flush();
  process.exit(0);
}

/** The demo account and its keys. The keys exist in dev.json alone: when that is gone, new ones are made and the old ones end. */
async function prepareDemo(gateway: Gateway, known: Partial<DevFile>): Promise<{ file: DevFile; notes: string[] }> {
  const client = await connect(gateway.database, 'dev');
  try {
    await client.query('begin');
    const session = { client, keyring: gateway.keyring, actor: { name: operatorName(), now: Date.now() } };
    const keys = (await validKeys(session, known)) ?? (await newKeys(session));
    await client.query('commit');
    const file = {
      base_url: `https://localhost:${gateway.port}`,
      ca_file: gateway.caFile ?? '',
      test_secret_key: keys.test,
      live_secret_key: keys.live,
    };
    return { file, notes: keys.notes };
  } finally {
    await client.end();
  }
}

type DemoKeys = { test: string; live: string; notes: string[] };

async function validKeys(session: KeyWork, known: Partial<DevFile>): Promise<DemoKeys | undefined> {
  const { test_secret_key: test, live_secret_key: live } = known;
  if (typeof test !== 'string' || typeof live !== 'string') return undefined;
  const hashes = [test, live].map((key) => session.keyring.hmac('api_key', key));
  const found = await findKeysByHash(session.client, hashes);
  const usable = [...found.values()].filter((key) => !key.revoked && !key.expired);
  return usable.length === 2 ? { test, live, notes: [] } : undefined;
}

async function newKeys(session: KeyWork): Promise<DemoKeys> {
  const demo = (await listAccounts(session.client)).find((account) => account.name === demoName);
  if (demo === undefined) {
    const made = await makeAccount(session, { name: demoName, tier: 'standard', rateLimit: null });
    return { test: made.testKey.open(), live: made.liveKey.open(), notes: [] };
  }
  for (const key of await listKeys(session.client, demo.id))
    if (isDevKey(key)) await revokeKey(session.client, key, session.actor);
  const wish = { name: 'first key', scopes: null, allowedIps: null, signatureRequired: false, expiresAt: null };
  const test = await createKey(session.client, session.keyring, demo.id, { ...wish, mode: 'test' }, session.actor);
  const live = await createKey(session.client, session.keyring, demo.id, { ...wish, mode: 'live' }, session.actor);
  return {
    test: test.key.open(),
    live: live.key.open(),
    notes: [
      'dev.json was missing or did not hold the keys of the demo account: new keys were made, and the old ones are revoked.',
    ],
  };
}

function isDevKey(key: ApiKey): boolean {
  return key.name === 'first key' && key.revoked_at === null;
}

function readDevFile(path: string): Partial<DevFile> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<DevFile>;
  } catch {
    return {}; // not there yet, or not readable as what we wrote: both mean new keys
  }
}

function writeDevFile(path: string, file: DevFile): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
}

function welcome(file: DevFile, path: string): string {
  const here = (name: string) => {
    const short = relative(process.cwd(), name);
    return short.startsWith('..') ? name : short;
  };
  const trust = file.ca_file === '' ? '' : ` --cacert ${shellWord(here(file.ca_file))}`;
  return `
Tollgate is running.

  API       ${file.base_url}
  Docs      ${file.base_url}/docs
  Test key  ${file.test_secret_key}
  Details   ${here(path)}

Try it:

  curl${trust} ${file.base_url}/v1/customers \\
    -H "Authorization: Bearer ${file.test_secret_key}" \\
    -d name="Ada Lovelace" -d email=ada@example.com

Ctrl-C stops it; the data stays in ${here(join(path, '..'))}.
`;
}

/** A word that a shell reads as it is meant. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
