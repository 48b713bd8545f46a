import type { KeyObject } from 'node:crypto';
import { BriefCache } from '../base/brief_cache.ts';
import type { Clock } from '../base/clock.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import type { Tenant } from '../base/reads.ts';
import { query, type Row } from '../base/sql.ts';
import type { MasterKeys, WrappedKey } from './master_keys.ts';

type DataKey = { version: number; key: KeyObject };

const keysMax = 20_000; // some hundred bytes each
/**
 * How long a server may go on sealing with a key after a newer one was made. Rotation waits six times as long before it destroys the
 * older key (see rotate.ts), which leaves the rest for a sealed card that is still being committed.
 */
export const newestForMs = 10_000;

/** The data keys of all tenants: made when first needed, read from the database, cached in memory within bounds. */
export class DataKeys {
  readonly #masters: MasterKeys;
  readonly #durable: SqlAt;
  readonly #known = new Map<string, KeyObject>();
  readonly #newest: BriefCache<Tenant, DataKey>;

  constructor(masters: MasterKeys, durable: SqlAt, clock: Clock) {
    this.#masters = masters;
    this.#durable = durable;
    this.#newest = new BriefCache({ clock, keptMs: newestForMs, entriesMax: keysMax });
  }

  /** The key to seal with. */
  newest(tenant: Tenant): Promise<DataKey> {
    return this.#newest.get(tenant, () => this.#readNewest(tenant));
  }

  /** The key to open with; undefined when it was destroyed. */
  async find(tenant: Tenant, version: number): Promise<KeyObject | undefined> {
    const known = this.#known.get(nameOf(tenant, version));
    if (known !== undefined) return known;
    const text = 'select tenant, version, master, wrapped from vault_keys where tenant = $1 and version = $2';
    const [row] = await this.#query<WrappedKey>(text, [tenant, version]);
    return row && this.#keep(row);
  }

  /** For a key that did not open what it should: the next call reads it from the database. */
  forget(tenant: Tenant, version: number): void {
    this.#known.delete(nameOf(tenant, version));
    this.#newest.delete(tenant);
  }

  async #readNewest(tenant: Tenant): Promise<DataKey> {
    const row = (await this.#findNewest(tenant)) ?? (await this.#makeFirst(tenant));
    // Unwrapped again even when the version is known: in a database that was restored from a backup it may be another key.
    return { version: row.version, key: this.#keep(row) };
  }

  async #findNewest(tenant: Tenant): Promise<WrappedKey | undefined> {
    const text =
      'select tenant, version, master, wrapped from vault_keys where tenant = $1 order by version desc limit 1';
    const [row] = await this.#query<WrappedKey>(text, [tenant]);
    return row;
  }

  /** Two servers may seal a tenant's first card at the same time: the first row wins, and both read it back. */
  async #makeFirst(tenant: Tenant): Promise<WrappedKey> {
    const { version, master, wrapped } = this.#masters.newDataKey(tenant, 1);
    const text =
      'insert into vault_keys (tenant, version, master, wrapped) values ($1, $2, $3, $4) on conflict do nothing';
    await this.#durable.at(tenant, (sql) => query(sql, text, [tenant, version, master, wrapped]));
    return (await this.#findNewest(tenant))!;
  }

  #query<T extends Row>(text: string, values: readonly [Tenant, ...unknown[]]): Promise<T[]> {
    return this.#durable.at(values[0], (sql) => query<T>(sql, text, values));
  }

  #keep(row: WrappedKey): KeyObject {
    const key = this.#masters.unwrap(row);
    if (this.#known.size >= keysMax) this.#known.delete(this.#known.keys().next().value!); // the oldest entry
    this.#known.set(nameOf(row.tenant, row.version), key);
    return key;
  }
}

function nameOf(tenant: Tenant, version: number): string {
  return `${tenant}/${version}`;
}
