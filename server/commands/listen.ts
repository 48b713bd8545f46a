import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../base/errors.ts';
import { firstIdAt, type Id, idTime } from '../base/id.ts';
import { Secret } from '../base/secret.ts';
import { type Connection, isUnavailable, reasonOf } from '../base/sql.ts';
import { signedHeaders } from '../outbox/signature.ts';
import { listAccounts, tenantOf } from '../resources/accounts/store.ts';
import { readEnabledEvents } from '../resources/webhook_endpoints/enabled_events.ts';
import { type Session, withConnection } from './session.ts';
import { parseSpan, UsageError } from './usage.ts';

const lookEveryMs = 250;
const reconnectMs = 1_000;
const answerMs = 15_000;
const pageRows = 200;
/** Events commit out of the order of their ids, by seconds at most: what is younger than this is looked at again. */
const overlapMs = 60_000;

type Options = { forwardTo: string; events?: string; since?: string; account?: string; live?: boolean };
type EventRow = { id: Id<'evt'>; type: string; payload: Buffer };

/** Where the reading is: everything before `from` was seen, and of what came after it, these. */
type Place = { from: number; seen: Set<string> };

/** Sends an account's events to a program on this machine as they happen, signed like webhooks. Needs nothing but the database. */
export async function listen(options: Options): Promise<void> {
  const target = targetOf(options.forwardTo);
  const wanted = typesWanted(options.events);
  let place: Place | undefined;
  for (;;) {
    try {
      await withConnection(
        async (session) => {
          const tenant = await tenantFor(session, options);
          const secret = secretFor(session, tenant);
          if (place === undefined) {
            place = { from: startOf(options.since, await databaseTime(session.client)), seen: new Set() };
            await skipPast(session.client, tenant, place);
            console.log(`Forwarding events to ${target.href}\nSigning secret: ${secret.open()}\nCtrl-C ends it.`);
          }
          for (;;) {
            await forwardNew(session.client, tenant, place, { target, wanted, secret });
            await sleep(lookEveryMs);
          }
          // A database that this command had started itself would keep the server from starting.
        },
        { mayStart: false },
      );
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      console.error(`The database cannot be reached (${reasonOf(error)}). Trying again.`);
      await sleep(reconnectMs);
    }
  }
}

function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError('--forward-to takes an address such as http://localhost:3000/hook');
}

function typesWanted(text: string | undefined): string[] {
  if (text === undefined) return ['*'];
  try {
    return readEnabledEvents(text.split(',').map((one) => one.trim()));
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(`--events: ${error.message}`) : error;
  }
}

/** A span is meant to lie in the past here. */
function startOf(since: string | undefined, now: number): number {
  if (since === undefined) return now;
  if (/^\d+[smhd]$/.test(since)) return now - parseSpan('--since', since) * 1_000;
  const moment = new Date(since).getTime();
  if (moment <= now) return moment;
  throw new UsageError('--since takes a time in the past such as 2027-01-31T00:00:00Z, or a span such as 15m');
}

async function tenantFor({ client }: Session, { account, live }: Options): Promise<number> {
  const mode = live ? 'live' : 'test';
  if (account !== undefined) return tenantOf(client, account, mode);
  const accounts = await listAccounts(client);
  if (accounts.length === 1) return tenantOf(client, accounts[0]!.id, mode);
  throw new UsageError('There are several accounts: choose one with --account; "tollgate accounts list" shows them');
}

/** The same for an account every time, so that the program's setting stays right. */
function secretFor({ keyring }: Session, tenant: number): Secret {
  return new Secret(`whsec_${keyring.hmac('listen', String(tenant)).toString('base64')}`);
}

/** Ids carry the database's time: what is new is told by the same clock. */
async function databaseTime(client: Connection): Promise<number> {
  const result = await client.query<{ ms: number }>('select extract(epoch from now())::float8 * 1000 as ms');
  return Math.floor(result.rows[0]!.ms);
}

/** What lies before the start and would be shown by the overlap is taken as seen. */
async function skipPast(client: Connection, tenant: number, place: Place): Promise<void> {
  for (let after = '', rows = pageRows; rows === pageRows; ) {
    const page = await read(client, tenant, place, after);
    for (const { id } of page) if (idTime(id) < place.from) place.seen.add(id);
    after = page.at(-1)?.id ?? after;
    rows = page.length;
  }
}

async function read(client: Connection, tenant: number, place: Place, after: string): Promise<EventRow[]> {
  const from = firstIdAt('evt', Math.max(0, place.from - overlapMs));
  const result = await client.query<EventRow>(
    `select id, type, payload from events where tenant = $1 and id > $2 order by id limit ${pageRows}`,
    [tenant, after > from ? after : from],
  );
  return result.rows;
}

async function forwardNew(
  client: Connection,
  tenant: number,
  place: Place,
  how: { target: URL; wanted: string[]; secret: Secret },
): Promise<void> {
  for (let after = '', rows = pageRows; rows === pageRows; ) {
    const page = await read(client, tenant, place, after);
    for (const event of page) {
      if (!place.seen.has(event.id) && matches(event.type, how.wanted)) await forward(event, how);
      place.seen.add(event.id);
      place.from = Math.max(place.from, idTime(event.id));
    }
    after = page.at(-1)?.id ?? after;
    rows = page.length;
  }
  for (const id of place.seen) if (idTime(id) < place.from - overlapMs) place.seen.delete(id);
}

function matches(type: string, wanted: readonly string[]): boolean {
  return wanted.some((one) => one === '*' || one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))));
}

async function forward(event: EventRow, { target, secret }: { target: URL; secret: Secret }): Promise<void> {
  const seconds = Math.floor(Date.now() / 1_000);
  const signed = signedHeaders({ eventId: event.id, payload: event.payload, seconds, secret, previous: undefined });
  const began = performance.now();
  const outcome = await fetch(target, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...signed },
    body: new Uint8Array(event.payload),
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  }).then(
    async (answer) => {
      await answer.body?.cancel();
      return String(answer.status);
    },
    (error) => `no answer (${reasonOf((error as Error).cause ?? error)})`,
  );
  const time = new Date().toISOString().slice(11, 19);
  console.log(
    `${time}  ${event.type.padEnd(28)}  ${event.id}  ${outcome}  ${Math.round(performance.now() - began)} ms`,
  );
}
