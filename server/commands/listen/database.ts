import { setTimeout as sleep } from 'node:timers/promises';
import type { Keyring } from '../../base/keyring.ts';
import { usualPatience } from '../../base/patient_client.ts';
import type { Tenant } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';
import { isUnavailable, reasonOf, sqlState } from '../../base/sql.ts';
import { tenantOf } from '../../operations/tenants.ts';
import { EventTail, type TailedEvent } from '../../outbox/tail.ts';
import { withConnection } from '../context.ts';
import { type EventSink, type ListenOptions, startOf } from './options.ts';

const lookEveryMs = 250;
const reconnectMs = 1_000;

/** Events from the database of the server, which may stop and start meanwhile. */
export async function followDatabase(
  { account, live, since }: ListenOptions & { account: string },
  { wanted, secret }: { wanted: ReadonlySet<string>; secret: Secret | undefined },
  sink: EventSink,
): Promise<void> {
  let tail: EventTail | undefined;
  let trouble = '';
  for (;;) {
    let isConnected = false;
    try {
      await withConnection(
        async ({ client, at, keyring, actor }) => {
          const tenant = await tenantOf(client, account, live ? 'live' : 'test');
          if (tail === undefined) {
            const start = startOf(since, actor.now);
            tail = await at.at(tenant, ({ sql }) => EventTail.from(sql, tenant, start, wanted));
            sink.begin(secret ?? secretFor(keyring, tenant), 'events');
          } else console.error('Connected to the database again.');
          [isConnected, trouble] = [true, ''];
          const news = tail;
          for (;;) {
            await at.at(tenant, ({ sql }) => forward(news.news(sql), sink));
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

async function forward(events: AsyncIterable<TailedEvent>, sink: EventSink): Promise<void> {
  for await (const event of events) await sink.event(event);
}

/** The server refuses the user or the database. Before the first connection, waiting does not help. */
function isTurnedAway(error: unknown): boolean {
  return /^(28|3D)/.test(sqlState(error) ?? '');
}

/** The same on every run, so that the program's setting stays valid. */
function secretFor(keyring: Keyring, tenant: Tenant): Secret {
  return new Secret(`whsec_${keyring.hmac('listen', String(tenant)).toString('base64')}`);
}
