import https from 'node:https';
import { json } from 'node:stream/consumers';
import { findRunningPostgres, hasEmbeddedDatabase } from '../base/embedded_postgres/index.ts';
import { usualPatience } from '../base/patient_client.ts';
import { PlaceDown } from '../base/places/place_down.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import type { Reads } from '../base/reads.ts';
import type { DatabaseAddress } from '../base/sql.ts';
import { type Config, readConfig } from '../config.ts';
import { databaseInWords, pendingOf } from '../database.ts';
import { lastSealedAt } from '../ledger/seal.ts';
import { readGauge } from '../operations/gauge.ts';
import { raiseLimitCommand, rateLimitOf, standardRate } from '../resources/people/accounts/account.ts';
import { findAccount } from '../resources/people/accounts/store.ts';
import { packageVersion } from '../version.ts';
import { coloured } from './colour.ts';
import { connectionsAt, openDirectory, publicUrlOf } from './context.ts';
import { databaseTrouble } from './database_trouble.ts';
import { devFileOf, readDevFile } from './dev_file.ts';
import { openCommandPools } from './pools.ts';
import { isoTime, print, sentenceCase } from './print.ts';

const patienceMs = 3_000;

type Work = { needs_person: number; unknown_outcomes: number; webhooks_due: number; unsealed_seconds: number };
type Stored = {
  pending: string[];
  /** UTC epoch seconds. */
  last_sealed: number | null;
  work: Work | null;
  demo_limit: DemoLimit | null;
};
/** The requests that the demo account has in a minute, and the command that raises them. */
type DemoLimit = { account: string; requests_per_minute: number; raised_by: string };
type ServerFound = { address: string; running: boolean; ready: boolean; version: string | null };

/** Whether the gateway runs, and what there is to do. It starts nothing, and changes nothing. */
export async function status(options: { json?: boolean }): Promise<void> {
  const config = readConfig('command');
  const server = await serverOf(config);
  const stored = await storedIn(config);
  const actions = actionsFor(server, stored);
  const report = {
    ok: actions.length === 0,
    version: packageVersion,
    mode: config.masterKey === undefined ? 'development' : 'production',
    server,
    database: databaseInWords(config),
    migrations_pending: stored.found?.pending ?? null,
    last_sealed: stored.found?.last_sealed ?? null,
    work: stored.found?.work ?? null,
    demo_limit: stored.found?.demo_limit ?? null,
    actions,
  };
  print(options.json, report, () => inWords(report));
  if (!report.ok) process.exitCode = 1;
}

/** The server that this configuration is about: that of `tollgate dev`, or the public address. */
async function serverOf(config: Config): Promise<ServerFound> {
  const { base_url: address = publicUrlOf(config) } = readDevFile(devFileOf(config.dataDir));
  const [version, ready] = await Promise.all([ask(address, '/version'), ask(address, '/readyz')]);
  return {
    address,
    running: version !== undefined,
    ready: ready?.status === 'ready',
    version: version?.version ?? null,
  };
}

/** A public page of the server. No secret is sent, so the certificate need not be known. */
function ask(address: string, path: string): Promise<Record<string, string> | undefined> {
  return new Promise((resolve) => {
    const request = https.get(`${address}${path}`, { rejectUnauthorized: false, agent: false, timeout: patienceMs });
    request.on('timeout', () => request.destroy()).on('error', () => resolve(undefined));
    request.on('response', (response) =>
      json(response).then(
        (body) => resolve(body as never),
        () => resolve(undefined),
      ),
    );
  });
}

type Looked = { found?: Stored; problem?: string; down?: PlaceDown };

async function storedIn(config: Config): Promise<Looked> {
  const { database, dataDir } = config;
  const address = database.kind === 'url' ? { connectionString: database.url } : await findRunningPostgres(dataDir);
  if (address === undefined)
    return {
      problem: (await hasEmbeddedDatabase(dataDir))
        ? 'the embedded PostgreSQL is not running'
        : `there is no database in ${dataDir}`,
    };
  try {
    return await inspect(address, readDevFile(devFileOf(dataDir)).account);
  } catch (error) {
    return { problem: databaseTrouble(error) };
  }
}

async function inspect(address: DatabaseAddress, demoAccount: string | undefined): Promise<Looked> {
  await using opened = new AsyncDisposableStack();
  const directory = await openDirectory(address, 'status');
  const { client } = directory;
  opened.defer(() => client.end());
  const pending = await pendingOf(client);
  const unknown = { pending, last_sealed: null, work: null, demo_limit: null };
  if (pending.length > 0) return { found: unknown };
  const places = connectionsAt(directory, usualPatience);
  opened.defer(() => places.close());
  const sealed = await places
    .everywhere(({ sql }) => lastSealedAt(sql))
    .catch((error: unknown) => {
      if (error instanceof PlaceDown) return error;
      throw error;
    });
  if (sealed instanceof PlaceDown) return { found: unknown, down: sealed };
  const sealedAt = Math.max(...sealed.map((at) => at ?? 0));
  const { reads, durable, close } = await openCommandPools(directory, { connectionsMax: 1 });
  opened.defer(async () => void (await close()));
  return {
    found: {
      pending,
      last_sealed: sealedAt === 0 ? null : Math.floor(sealedAt / 1_000),
      work: await workOn(durable),
      demo_limit: demoAccount === undefined ? null : await demoLimit(reads, demoAccount),
    },
  };
}

async function demoLimit(reads: Reads, id: string): Promise<DemoLimit | null> {
  const account = await findAccount(reads, id);
  if (account === undefined) return null;
  return { account: id, requests_per_minute: rateLimitOf(account), raised_by: raiseLimitCommand(id) };
}

/** The numbers of the metrics, for the whole installation. */
async function workOn(durable: SqlAt): Promise<Work> {
  const { catalog } = await import('../catalog.ts');
  const sum = async (name: string) => {
    let total = 0;
    for (const gauge of catalog.gauges) if (gauge.name === name) total += await readGauge(durable, gauge);
    return total;
  };
  return {
    needs_person: await sum('tollgate_needs_person'),
    unknown_outcomes: await sum('tollgate_unknown_outcomes'),
    webhooks_due: await sum('tollgate_webhooks_due'),
    unsealed_seconds: Math.round(await sum('tollgate_ledger_unsealed_seconds')),
  };
}

const sealedWithinSeconds = 60;

function actionsFor(server: ServerFound, { found, problem, down }: Looked): string[] {
  return [
    ...(server.running ? [] : ['No server answers: start it with "tollgate dev" or "tollgate serve"']),
    ...(server.running && !server.ready ? ['The server is not ready: "tollgate doctor" says why'] : []),
    ...(server.running && server.version !== packageVersion
      ? [`The server runs ${server.version}, and this is ${packageVersion}: restart it`]
      : []),
    ...(problem === undefined || !server.running ? [] : [`${sentenceCase(problem)}`]),
    ...(down === undefined ? [] : [sentenceCase(databaseTrouble(down).replace(/\.$/, ''))]),
    ...(found && found.pending.length > 0 ? ['Migrations are missing: run "tollgate migrate"'] : []),
    ...(found?.work && found.work.needs_person > 0
      ? [`${found.work.needs_person} need attention: "tollgate payments unsettled" lists them`]
      : []),
    ...(found?.work && found.work.unsealed_seconds > sealedWithinSeconds
      ? ['Postings wait to be sealed for over a minute: a server has to run']
      : []),
  ];
}

type StatusReport = {
  version: string;
  mode: string;
  server: ServerFound;
  database: string;
  migrations_pending: string[] | null;
  last_sealed: number | null;
  work: Work | null;
  demo_limit: DemoLimit | null;
  actions: string[];
};

function inWords({
  version,
  mode,
  server,
  database,
  migrations_pending,
  last_sealed,
  work,
  demo_limit,
  actions,
}: StatusReport): string {
  const state = server.ready
    ? coloured('green', 'running')
    : coloured('red', server.running ? 'not ready' : 'not running');
  return [
    `Server      ${state} at ${server.address}${server.version === null ? '' : `, version ${server.version}`}`,
    `Version     ${version}`,
    `Mode        ${mode}`,
    `Database    ${database}`,
    `Migrations  ${migrations_pending === null ? 'unknown' : migrations_pending.join(', ') || 'up to date'}`,
    `Sealed      ${last_sealed === null ? 'nothing yet' : `last at ${isoTime(last_sealed)}`}`,
    ...(work === null
      ? []
      : [
          `Work        ${work.webhooks_due} webhooks due, ${work.unknown_outcomes} outcomes unknown, ${work.needs_person} need attention`,
        ]),
    ...(demo_limit === null ? [] : [`Limit       ${limitInWords(demo_limit)}`]),
    '',
    ...(actions.length === 0 ? ['Nothing to do.'] : actions.map((action) => `- ${action}.`)),
  ].join('\n');
}

/** Guides and tests that run by script soon use up the standard tier, which the demo account has at first. */
function limitInWords({ requests_per_minute, raised_by }: DemoLimit): string {
  const limit = `${requests_per_minute} requests per minute for the demo account`;
  return requests_per_minute > standardRate ? limit : `${limit}; to raise it: ${raised_by}`;
}
