import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { usualPatience } from '../base/patient_client.ts';
import type { Tenant } from '../base/reads.ts';
import { Secret } from '../base/secret.ts';
import { type Connection, isUnavailable, reasonOf, sqlState } from '../base/sql.ts';
import { catalog } from '../catalog.ts';
import { findTenants } from '../operations/tenants.ts';
import { type SigningKey, signedHeaders, signingKey } from '../outbox/signature.ts';
import { EventTail, type TailedEvent } from '../outbox/tail.ts';
import { testEvent } from '../resources/events/webhook_endpoints/deliveries/delivery.ts';
import { EventChoice } from '../resources/events/webhook_endpoints/enabled_events.ts';
import { withConnection } from './context.ts';
import { isoMoment, MissingError, parseSpan, spanSyntax, UsageError } from './usage.ts';

const choice = new EventChoice(catalog.eventTypes);
const lookEveryMs = 250;
const reconnectMs = 1_000;
const answerMs = 15_000;

type ListenOptions = { forwardTo: string; events?: string; since?: string; account?: string; live?: boolean };

/** Forwards an account's events to a program on this machine as they happen, signed like webhooks. Needs only the database. */
export async function listen(options: ListenOptions): Promise<void> {
  const target = targetOf(options.forwardTo);
  const wanted = typesWanted(options.events);
  let tail: EventTail | undefined;
  let trouble = '';
  for (;;) {
    let isConnected = false;
    try {
      await withConnection(
        async ({ client, keyring, actor }) => {
          const tenant = await tenantFor(client, options);
          const secret = secretFor(keyring, tenant);
          const key = signingKey(secret);
          if (tail === undefined) {
            const start = startOf(options.since, actor.now);
            tail = await EventTail.from(client, tenant, start, wanted);
            console.log(`Forwarding events to ${target.href}\nSigning secret: ${secret.open()}\nCtrl-C ends it.`);
          } else console.error('Connected to the database again.');
          [isConnected, trouble] = [true, ''];
          for (;;) {
            for await (const event of tail.news(client)) await forward(event, target, key);
            await sleep(lookEveryMs);
          }
          // A PostgreSQL that this command had started would keep the server from starting.
        },
        { mayStart: false, patience: usualPatience },
      );
    } catch (error) {
      if (!isUnavailable(error) || (tail === undefined && isTurnedAway(error))) throw error;
      // For a lost connection, the driver's error only says that the client can no longer be used.
      const happened = isConnected
        ? 'The connection to the database was lost'
        : `The database cannot be reached (${reasonOf(error)})`;
      if (happened !== trouble) console.error(`${happened}. Trying again.`);
      trouble = happened;
      await sleep(reconnectMs);
    }
  }
}

/** The server refuses the user or the database. Before the first connection, waiting does not help. */
function isTurnedAway(error: unknown): boolean {
  return /^(28|3D)/.test(sqlState(error) ?? '');
}

function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError('--forward-to takes an address such as http://localhost:3000/hook');
}

export function typesWanted(text: string | undefined): Set<string> {
  const listed = text === undefined ? ['*'] : readEvents(text);
  const types = new Set<string>(choice.typesOf(listed));
  // No subscription includes the test event of an endpoint; here it is shown like any other.
  if (['*', 'webhook_endpoint.*', testEvent].some((name) => listed.includes(name))) types.add(testEvent);
  return types;
}

function readEvents(text: string): string[] {
  try {
    const listed = text.split(',').map((one) => one.trim());
    choice.check(listed);
    return listed;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The message is written for the API, where the list has another name.
    throw new UsageError(error.message.replace(`The parameter ${error.param} is invalid`, '--events'));
  }
}

/** A span counts back from now. */
export function startOf(since: string | undefined, now: number): number {
  if (since === undefined) return now;
  if (spanSyntax.test(since)) return now - parseSpan('--since', since) * 1_000;
  const moment = isoMoment(since);
  if (moment === undefined)
    throw new UsageError(
      '--since takes a span such as 15m, 2h or 7d, or a time such as 2026-11-14 or 2026-11-14T12:00:00Z (a date is in UTC)',
    );
  if (moment > now) throw new UsageError('--since lies in the future');
  return moment;
}

export async function tenantFor(
  client: Connection,
  { account, live }: Pick<ListenOptions, 'account' | 'live'>,
): Promise<Tenant> {
  const tenants = (await findTenants(client, account)).filter(({ mode }) => mode === (live ? 'live' : 'test'));
  if (tenants.length === 1) return tenants[0]!.tenant;
  if (tenants.length === 0)
    throw new MissingError('There is no account yet: "tollgate accounts create --name <name>" makes one');
  throw new UsageError('There are several accounts: choose one with --account; "tollgate accounts list" shows them');
}

/** The same on every run, so that the program's setting stays valid. */
function secretFor(keyring: Keyring, tenant: Tenant): Secret {
  return new Secret(`whsec_${keyring.hmac('listen', String(tenant)).toString('base64')}`);
}

async function forward(event: TailedEvent, target: URL, key: SigningKey): Promise<void> {
  const seconds = Math.floor(Date.now() / 1_000);
  const signed = signedHeaders({ eventId: event.id, payload: event.payload, seconds, key, previous: undefined });
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
