import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { dirname } from 'node:path';
import { findRunningPostgres, hasEmbeddedDatabase } from '../base/embedded_postgres/index.ts';
import { findKeyring } from '../base/root_key.ts';
import { type Connection, connect, reasonOf } from '../base/sql.ts';
import { type Config, ConfigError, hasKeyFile, keyFileOf, readConfig } from '../config.ts';
import { pendingOf, readDevelopmentKey } from '../database.ts';
import { isRestored } from '../ledger/restored.ts';

type Finding = { ok: boolean; text: string };

const diskBytesMin = 1_073_741_824;
const connectPatienceMs = 1_000;

const fine = (text: string): Finding => ({ ok: true, text });
const wrong = (text: string): Finding => ({ ok: false, text });

/** Checks everything that a start depends on, and says how to fix each problem. Changes nothing. */
export async function doctor({ for: purpose }: { for: 'dev' | 'serve' }): Promise<void> {
  const findings = [fine(`Node ${process.versions.node} on ${process.platform} ${process.arch}`)];
  try {
    const config = readConfig(purpose);
    findings.push(fine(`settings for tollgate ${purpose}`), checkDataDirectory(config));
    findings.push(...(await checkDatabase(config)), await checkPort(config));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    findings.push(...error.problems.map(wrong));
  }
  for (const { ok, text } of findings) console.log(`${ok ? 'ok   ' : 'WRONG'}  ${text}`);
  if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
}

function checkDataDirectory({ dataDir }: Config): Finding {
  const place = nearestFolder(dataDir);
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return wrong(`${dataDir} cannot be used (${code}): give this user access, or set TOLLGATE_DATA_DIR.`);
  }
  const { bavail, bsize } = statfsSync(place);
  if (bavail * bsize < diskBytesMin) return wrong(`${dataDir} has less than 1 GiB of free space: make room.`);
  const keyFile = keyFileOf(dataDir);
  if (hasKeyFile(dataDir) && (statSync(keyFile).mode & 0o077) !== 0)
    return wrong(`${keyFile} can be read by others: chmod 600 it.`);
  return fine(`data directory ${dataDir}`);
}

/** The data directory, or the nearest existing folder above it. */
function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const { database, dataDir } = config;
  const address = database.kind === 'url' ? { connectionString: database.url } : await findRunningPostgres(dataDir);
  if (address === undefined)
    return [
      (await hasEmbeddedDatabase(dataDir))
        ? fine('embedded PostgreSQL is not running; a start will run it')
        : fine(`no embedded database in ${dataDir}; a start creates it`),
    ];
  try {
    await using opened = new AsyncDisposableStack();
    const client = await connect(address, 'doctor');
    opened.defer(() => client.end());
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    const pending = await pendingOf(client);
    const findings = [fine(`PostgreSQL ${rows[0]!.server_version} answers`)];
    if (pending.length > 0)
      return [...findings, wrong(`migrations are missing: ${pending.join(', ')}. Run: tollgate migrate`)];
    if (await isRestored(client))
      return [...findings, wrong('the database was restored on another server. Run: tollgate migrate')];
    return [...findings, fine('the schema is up to date'), await checkVaultKey(client, config)];
  } catch (error) {
    return [wrong(`the database: ${reasonOf(error)}. Check DATABASE_URL and TOLLGATE_VAULT_KEY.`)];
  }
}

async function checkVaultKey(client: Connection, config: Config): Promise<Finding> {
  const master = config.masterKey ?? readDevelopmentKey(config.dataDir);
  if (master === undefined) return fine('no vault key yet; a start makes one for a new database');
  const keyring = await findKeyring(client, { current: master, previous: config.previousMasterKey });
  return fine(
    keyring === undefined ? 'the database has no root key yet; a start makes it' : 'the vault key opens this database',
  );
}

/** A port in use is fine when Tollgate uses it, and a problem for the next start otherwise. The finding says both. */
function checkPort(config: Config): Promise<Finding> {
  return new Promise((resolve) => {
    const socket = connectSocket({ port: config.port, host: config.host === '0.0.0.0' ? '127.0.0.1' : config.host });
    const done = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    socket.setTimeout(connectPatienceMs, () =>
      done(wrong(`port ${config.port} does not respond: check the firewall.`)),
    );
    socket.on('connect', () =>
      done(fine(`port ${config.port} is in use: by Tollgate if it is running, else set PORT to another`)),
    );
    socket.on('error', () => done(fine(`port ${config.port} is free`)));
  });
}
