import type { KeyObject } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Tenant } from '../base/reads.ts';
import { type Pool, query } from '../base/sql.ts';
import type { MasterKeys, WrappedKey } from './master_keys.ts';

export type DataKey = { version: number; key: KeyObject };

const keysMax = 20_000; // some hundred bytes each
/**
 * How long a server may go on sealing with a key after a newer one was made. Rotation waits six times as long before it destroys the
 * older key (see rotate.ts), which leaves the rest for a sealed card on its way through the commit.
 */
export const newestForMs = 10_000;

/** The data keys of all tenants: made when first needed, read from the database, kept in memory within bounds. */
export class DataKeys {
  readonly #masters: MasterKeys;
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #known = new Map<string, KeyObject>();
  readonly #newest = new Map<Tenant, { key: DataKey; until: number }>();
  readonly #reading = new Map<Tenant, Promise<DataKey>>();

  constructor(masters: MasterKeys, pool: Pool, clock: Clock) {
    this.#masters = masters;
    this.#pool = pool;
    this.#clock = clock;
  }

  /** The key to seal with. Requests of the same moment share one read. */
  async newest(tenant: Tenant): Promise<DataKey> {
    const cached = this.#newest.get(tenant);
    if (cached !== undefined && this.#clock.monotonic() < cached.until) return cached.key;
    let reading = this.#reading.get(tenant);
    if (reading === undefined) {
      reading = this.#readNewest(tenant).finally(() => this.#reading.delete(tenant));
      this.#reading.set(tenant, reading);
    }
    return reading;
  }

  /** The key to open with; undefined when it was destroyed. */
  async find(tenant: Tenant, version: number): Promise<KeyObject | undefined> {
    const known = this.#known.get(nameOf(tenant, version));
    if (known !== undefined) return known;
    const [row] = await query<WrappedKey>(
      this.#pool,
      'select tenant, version, master, wrapped from vault_keys where tenant = $1 and version = $2',
      [tenant, version],
    );
    return row && this.#keep(row);
  }

  /** For a key that did not open what it should: the next look reads it from the database. */
  forget(tenant: Tenant, version: number): void {
    this.#known.delete(nameOf(tenant, version));
    this.#newest.delete(tenant);
  }

  async #readNewest(tenant: Tenant): Promise<DataKey> {
    const asked = this.#clock.monotonic(); // the answer is as old as the question
    const row = (await this.#findNewest(tenant)) ?? (await this.#makeFirst(tenant));
    // Unwrapped again although the version may be known: in a database that was put back from a backup it may be another key.
    const key = { version: row.version, key: this.#keep(row) };
    bound(this.#newest);
    this.#newest.set(tenant, { key, until: asked + newestForMs });
    return key;
  }

  async #findNewest(tenant: Tenant): Promise<WrappedKey | undefined> {
    const [row] = await query<WrappedKey>(
      this.#pool,
      'select tenant, version, master, wrapped from vault_keys where tenant = $1 order by version desc limit 1',
      [tenant],
    );
    return row;
  }

  /** Two servers may seal a tenant's first card at once: the first row wins, and both read it back. */
  async #makeFirst(tenant: Tenant): Promise<WrappedKey> {
    const { version, master, wrapped } = this.#masters.newDataKey(tenant, 1);
    await query(
      this.#pool,
      'insert into vault_keys (tenant, version, master, wrapped) values ($1, $2, $3, $4) on conflict do nothing',
      [tenant, version, master, wrapped],
    );
    return (await this.#findNewest(tenant))!;
  }

  #keep(row: WrappedKey): KeyObject {
    const key = this.#masters.unwrap(row);
    bound(this.#known);
    this.#known.set(nameOf(row.tenant, row.version), key);
    return key;
  }
}

function nameOf(tenant: Tenant, version: number): string {
  return `${tenant}/${version}`;
}

/** Makes room by letting the oldest entry go. */
function bound(map: Map<unknown, unknown>): void {
  if (map.size >= keysMax) map.delete(map.keys().next().value);
}
