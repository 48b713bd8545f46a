import { userInfo } from 'node:os';
import { systemClock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Masters } from '../base/root_key.ts';
import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import { type Config, readConfig } from '../config.ts';
import { joinDatabase, masterKeys, openKeyring, prepareSchema } from '../database.ts';
import type { Actor } from '../resources/api_keys/manage.ts';

export type Session = { client: Connection; keyring: Keyring; actor: Actor };
export type LongSession = Session & { masters: Masters; config: Config; address: DatabaseAddress };

/** Runs one command's work in one transaction, beside a running server or without one. */
export function inTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
  return withConnection(async (session) => {
    await session.client.query('begin');
    const result = await work(session);
    await session.client.query('commit');
    return result;
  });
}

/** For long work that must not be one transaction: every statement commits by itself. */
export async function withConnection<T>(
  work: (session: LongSession) => Promise<T>,
  options: { mayStart: boolean } = { mayStart: true },
): Promise<T> {
  const config: Config = readConfig('command');
  const database = await joinDatabase(config, options.mayStart);
  try {
    const client = await connect(database.address, 'command');
    try {
      await prepareSchema(client, config);
      const keyring = await openKeyring(client, config);
      const masters = await masterKeys(client, config);
      return await work({ client, keyring, masters, config, address: database.address, actor: currentActor() });
    } finally {
      await client.end(); // rolls back what was not committed
    }
  } finally {
    await database.stop();
  }
}

/** Who is at the keyboard, for the audit log. */
export function currentActor(): Actor {
  return { name: `command line (${userName()})`, now: systemClock.now() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // containers often run as a user without a name
  }
}
