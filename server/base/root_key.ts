import { Keyring, newRootKey, openRoot, sealRoot } from './keyring.ts';
import type { Secret } from './secret.ts';
import type { Connection } from './sql.ts';

const version = 1;

/** Opens the root key of this database; undefined when the database is new. Changes nothing. */
export async function findKeyring(client: Connection, master: Secret<Buffer>): Promise<Keyring | undefined> {
  const sealed = await findSealedRoot(client);
  return sealed === undefined ? undefined : new Keyring(openRoot(master, version, sealed));
}

export async function findSealedRoot(client: Connection): Promise<Buffer | undefined> {
  const result = await client.query<{ sealed: Buffer }>('select sealed from root_keys where version = $1', [version]);
  return result.rows[0]?.sealed;
}

/**
 * Opens the root key of this database, or makes one when the database is new. A master key that cannot open it is refused here,
 * so that a server never runs beside data it cannot read.
 */
export async function loadKeyring(client: Connection, master: Secret<Buffer>): Promise<Keyring> {
  // Two servers may meet a new database at once: the first row wins, and both read it back.
  await client.query('insert into root_keys (version, sealed) values ($1, $2) on conflict do nothing', [
    version,
    sealRoot(master, version, newRootKey()),
  ]);
  return (await findKeyring(client, master))!;
}
