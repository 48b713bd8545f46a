import type { Clock } from '../base/clock.ts';
import { discard, insert, remove, type Write } from '../base/commit/index.ts';
import { assert } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import type { Masters } from '../base/root_key.ts';
import { Secret } from '../base/secret.ts';
import { DataKeys } from './data_keys.ts';
import { type Field, fieldContext, openBytes, sealBytes } from './envelope.ts';
import { MasterKeys } from './master_keys.ts';
import { cardsTable, contentsView, cvcsTable, type SealedCvc, secretsTable } from './tables.ts';

/** A rotation may move a row to another key between the reads of the row and of its key. Rotations are rare, so a few reads are enough. */
const readsMax = 3;
const cvcVersion = 1;

export type OpenCard = { number: Secret; cvc: Secret | undefined };

/**
 * Seals and opens card numbers, security codes, the secrets of webhook endpoints and the credentials of processor accounts. No other code
 * has the keys.
 */
export class Vault {
  readonly #keyring: Keyring;
  readonly #keys: DataKeys;

  /** `durable`: if a crash lost a data key, the cards under it would be lost too. */
  constructor(parts: { masters: Masters; keyring: Keyring; durable: SqlAt; clock: Clock }) {
    this.#keyring = parts.keyring;
    this.#keys = new DataKeys(new MasterKeys(parts.masters), parts.durable, parts.clock);
  }

  /** The write that stores a card. The number comes from `readCardNumber`: digits only, or equal cards would look different. */
  async seal(tenant: Tenant, id: string, number: Secret): Promise<Write> {
    const row = await this.#seal(tenant, id, 'number', number);
    return insert(cardsTable, { ...row, version: 1, fingerprint: this.fingerprint(tenant, number) });
  }

  /** The write that stores a security code for at most 15 minutes. There is one code per id: an earlier code must be removed first. */
  async sealCvc(tenant: Tenant, id: string, cvc: Secret): Promise<Write> {
    assert(/^\d{3,4}$/.test(cvc.open()), 'the vault was given an unchecked security code');
    return insert(cvcsTable, { ...(await this.#seal(tenant, id, 'cvc', cvc)), version: cvcVersion });
  }

  /** Undefined when the card does not exist, or no longer does. A missing code was not supplied, or has expired; this is not an error. */
  async open(reads: Reads, tenant: Tenant, id: string): Promise<OpenCard | undefined> {
    for (let attempt = 1; ; attempt++) {
      const row = await reads.one(contentsView, tenant, id);
      if (row === undefined) return undefined;
      const number = await this.#open(row, 'number', row.key_version, row.sealed);
      const cvc = await this.#open(row, 'cvc', row.cvc_key_version, row.cvc_sealed);
      if (typeof number !== 'string' && typeof cvc !== 'string') return { number: number!, cvc };
      if (attempt === readsMax)
        throw new Error(`tenant ${tenant}, card ${id}: ${typeof number === 'string' ? number : cvc}`);
    }
  }

  /** The writes that delete a card's number and code, whether or not they exist. */
  destroy(tenant: Tenant, id: string): Write[] {
    return [discard(cardsTable, { tenant, id }), this.destroyCvc(tenant, id)];
  }

  /** The write that uses a code up, for the one authorization it is for: of two that have read it, the second is decided again. */
  useCvc(tenant: Tenant, id: string): Write {
    return remove(cvcsTable, { tenant, id, version: cvcVersion } as SealedCvc);
  }

  /** The write that deletes a code, whether or not it exists. */
  destroyCvc(tenant: Tenant, id: string): Write {
    return discard(cvcsTable, { tenant, id });
  }

  /** The write that stores a secret that is used repeatedly, and therefore cannot be hashed. */
  async sealSecret(tenant: Tenant, id: string, secret: Secret): Promise<Write> {
    return insert(secretsTable, await this.#seal(tenant, id, 'secret', secret));
  }

  /** Undefined when the secret does not exist, or no longer does. */
  async openSecret(reads: Reads, tenant: Tenant, id: string): Promise<Secret | undefined> {
    for (let attempt = 1; ; attempt++) {
      const row = await reads.one(secretsTable, tenant, id);
      if (row === undefined) return undefined;
      const secret = await this.#open(row, 'secret', row.key_version, row.sealed);
      if (typeof secret !== 'string') return secret;
      if (attempt === readsMax) throw new Error(`tenant ${tenant}, secret ${id}: ${secret}`);
    }
  }

  /** Whether the secret of this id is the given one. */
  async isSecret(reads: Reads, tenant: Tenant, id: string, other: Secret): Promise<boolean> {
    return (await this.openSecret(reads, tenant, id))?.open() === other.open();
  }

  /** The write that deletes a secret, whether or not it exists. */
  destroySecret(tenant: Tenant, id: string): Write {
    return discard(secretsTable, { tenant, id });
  }

  /** Equal for equal numbers of one tenant. It includes the tenant, so that accounts cannot find out that they share a card. */
  fingerprint(tenant: Tenant, number: Secret): Buffer {
    assert(/^\d{12,19}$/.test(number.open()), 'the vault was given an unchecked card number');
    return this.#keyring.hmac('card', `${tenant}/${number.open()}`);
  }

  async #seal(tenant: Tenant, id: string, field: Field, value: Secret) {
    const { version, key } = await this.#keys.newest(tenant);
    const plain = Buffer.from(value.open());
    const sealed = sealBytes(key, fieldContext({ tenant, id, field, keyVersion: version }), plain);
    plain.fill(0); // small buffers come from a shared pool, so their memory is reused
    return { tenant, id, key_version: version, sealed };
  }

  /** The value, or the reason why it does not open, as text. */
  async #open(
    { tenant, id }: { tenant: Tenant; id: string },
    field: Field,
    keyVersion: number | null,
    sealed: Buffer | null,
  ): Promise<Secret | string | undefined> {
    if (keyVersion === null || sealed === null) return undefined;
    const key = await this.#keys.find(tenant, keyVersion);
    const plain = key && openBytes(key, fieldContext({ tenant, id, field, keyVersion }), sealed);
    if (plain === undefined) {
      this.#keys.forget(tenant, keyVersion);
      const reason = key === undefined ? 'its data key is gone' : 'it was changed, moved or sealed by another key';
      return `the sealed ${field} does not open under key ${keyVersion}: ${reason}`;
    }
    const value = new Secret(plain.toString());
    plain.fill(0);
    return value;
  }
}
