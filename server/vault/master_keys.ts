import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { MasterKeyError } from '../base/keyring.ts';
import type { Tenant } from '../base/reads.ts';
import type { Masters } from '../base/root_key.ts';
import type { Secret } from '../base/secret.ts';
import { openBytes, sealBytes } from './envelope.ts';

/** A data key as it is stored. */
export type WrappedKey = { tenant: Tenant; version: number; master: string; wrapped: Buffer };

const keyBytes = 32;
const nameBytes = 8;

/** Wraps data keys with the current master key, and unwraps those of the current and the previous master key. */
export class MasterKeys {
  /** The name of the current master key, stored beside each data key that it wraps. */
  readonly current: string;
  readonly #wrappers = new Map<string, KeyObject>();

  constructor(masters: Masters) {
    this.current = nameOf(masters.current);
    for (const master of [masters.current, masters.previous])
      if (master !== undefined) this.#wrappers.set(nameOf(master), createSecretKey(derive(master, 'wrap', keyBytes)));
  }

  newDataKey(tenant: Tenant, version: number): WrappedKey {
    return this.#wrap(tenant, version, randomBytes(keyBytes));
  }

  unwrap(key: WrappedKey): KeyObject {
    const plain = this.#unwrap(key);
    const usable = createSecretKey(plain);
    plain.fill(0);
    return usable;
  }

  /** The same data key under the current master key. */
  rewrap(key: WrappedKey): WrappedKey {
    return this.#wrap(key.tenant, key.version, this.#unwrap(key));
  }

  #wrap(tenant: Tenant, version: number, plain: Buffer): WrappedKey {
    const wrapped = sealBytes(this.#wrappers.get(this.current)!, contextOf(tenant, version), plain);
    plain.fill(0);
    return { tenant, version, master: this.current, wrapped };
  }

  #unwrap({ tenant, version, master, wrapped }: WrappedKey): Buffer {
    const wrapper = this.#wrappers.get(master);
    const name = `data key ${version} of tenant ${tenant}`;
    if (wrapper === undefined)
      throw new MasterKeyError(
        `${name} is wrapped by another master key: set TOLLGATE_VAULT_KEY_PREVIOUS to that key until tollgate vault rotate has finished`,
      );
    const plain = openBytes(wrapper, contextOf(tenant, version), wrapped);
    if (plain === undefined)
      throw new MasterKeyError(`${name} does not open, although this master key wrapped it: the row was changed`);
    return plain;
  }
}

function contextOf(tenant: Tenant, version: number) {
  return ['data key', tenant, version];
}

function nameOf(master: Secret<Buffer>): string {
  return derive(master, 'name', nameBytes).toString('hex');
}

/** The master key itself wraps nothing: it also seals the root key, and each key has one use. */
function derive(master: Secret<Buffer>, use: 'wrap' | 'name', bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', master.open(), '', `tollgate/vault/${use}/v1`, bytes));
}
