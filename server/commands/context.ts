import { userInfo } from 'node:os';
import type { Keyring } from '../base/keyring.ts';
import type { Masters } from '../base/root_key.ts';
import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import { type Config, readConfig } from '../config.ts';
import { joinDatabase, masterKeys, openKeyring, prepareSchema } from '../database.ts';

/** The operator at the keyboard, for the audit log, and the database's time when the command began, in epoch milliseconds. */
export type Actor = { name: string; now: number };

/** What a command works with. */
export type CommandContext = {
  config: Config;
  address: DatabaseAddress;
  client: Connection;
  keyring: Keyring;
  masters: Masters;
  actor: Actor;
};

/** Opens the database, beside a running server or without one, for as long as the command takes. Every statement commits by itself. */
export async function withConnection<T>(
  work: (context: CommandContext) => Promise<T>,
  options: { mayStart: boolean } = { mayStart: true },
): Promise<T> {
  const config = readConfig('command');
  const { address, stop } = await joinDatabase(config, options.mayStart);
  try {
    const client = await connect(address, 'command');
    try {
      await prepareSchema(client, config);
      const keyring = await openKeyring(client, config);
      const masters = await masterKeys(client, config);
      const actor = { name: operatorName(), now: await databaseTime(client) };
      return await work({ config, address, client, keyring, masters, actor });
    } finally {
      await client.end(); // rolls back what was not committed
    }
  } finally {
    await stop();
  }
}

/** Due times and ids are compared with the database's clock; the clock of the operator's machine may differ. */
async function databaseTime(client: Connection): Promise<number> {
  const result = await client.query<{ ms: number }>('select extract(epoch from now())::float8 * 1000 as ms');
  return Math.floor(result.rows[0]!.ms);
}

export function operatorName(): string {
  return `command line (${userName()})`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // containers often run as a user without a name
  }
}
