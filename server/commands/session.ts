import { userInfo } from 'node:os';
import { systemClock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import { type Connection, connect } from '../base/sql.ts';
import { type Config, readConfig } from '../config.ts';
import { joinDatabase, openKeyring, prepareSchema } from '../database.ts';
import type { Actor } from '../resources/api_keys/manage.ts';

export type Session = { client: Connection; keyring: Keyring; actor: Actor };

/** Runs one command's work in one transaction, beside a running server or without one. */
export async function inTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const config: Config = readConfig('command');
  const database = await joinDatabase(config);
  try {
    const client = await connect(database.address, 'command');
    try {
      await prepareSchema(client, config);
      const keyring = await openKeyring(client, config);
      await client.query('begin');
      const result = await work({ client, keyring, actor: currentActor() });
      await client.query('commit');
      return result;
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
