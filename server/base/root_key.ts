import { Keyring, MasterKeyError, newRootKey, openRoot, sealRoot } from './keyring.ts';
import type { Secret } from './secret.ts';
import type { Connection } from './sql.ts';

const version = 1;

/** The master key in use, and the previous one for as long as something is still sealed by it. */
export type Masters = { current: Secret<Buffer>; previous?: Secret<Buffer> | undefined };

/** Opens the root key of this database; undefined when the database is new. Changes nothing. */
export async function findKeyring(client: Connection, masters: Masters): Promise<Keyring | undefined> {
  const sealed = await findSealedRoot(client);
  return sealed && new Keyring(openByEither(masters, sealed).root);
}

/** Seals the root key under the current master key; false when it already was. Keys derived from the root stay the same. */
export async function resealRoot(client: Connection, masters: Masters): Promise<boolean> {
  const sealed = await findSealedRoot(client);
  if (sealed === undefined) return false;
  const { root, by } = openByEither(masters, sealed);
  if (by === 'current') return false;
  await client.query('update root_keys set sealed = $3 where version = $1 and sealed = $2', [
    version,
    sealed,
    sealRoot(masters.current, version, root.open()),
  ]);
  return true;
}

function openByEither({ current, previous }: Masters, sealed: Buffer): { root: Secret<Buffer>; by: keyof Masters } {
  try {
    return { root: openRoot(current, version, sealed), by: 'current' };
  } catch (error) {
    if (previous === undefined || !(error instanceof MasterKeyError)) throw error;
    return { root: openRoot(previous, version, sealed), by: 'previous' };
  }
}

export async function findSealedRoot(client: Connection): Promise<Buffer | undefined> {
  const result = await client.query<{ sealed: Buffer }>('select sealed from root_keys where version = $1', [version]);
  return result.rows[0]?.sealed;
}

/**
 * Opens the root key of this database, or makes one when the database is new. A master key that cannot open it is refused here,
 * so that a server never runs on data that it cannot read.
 */
export async function loadKeyring(client: Connection, masters: Masters): Promise<Keyring> {
  const found = await findKeyring(client, masters); // first, because nothing can be inserted on a standby
  if (found !== undefined) return found;
  // Two servers may start on a new database at the same time: the first row wins, and both read it back.
  await client.query('insert into root_keys (version, sealed) values ($1, $2) on conflict do nothing', [
    version,
    sealRoot(masters.current, version, newRootKey()),
  ]);
  return (await findKeyring(client, masters))!;
}
