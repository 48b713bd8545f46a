import { Batcher } from '../../base/batcher.ts';
import type { Clock } from '../../base/clock.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Tenant } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';
import { type Pool, query } from '../../base/sql.ts';
import { readCardNumber } from '../../vault/index.ts';
import { apiKey } from '../reading/idempotency_key.ts';

type KeyOfTenant = { tenant: Tenant; key: string };

const dayMs = 86_400_000; // the lifetime of a key, and the time in which servers of the previous version are replaced
const marginMs = 3_600_000; // a request that was in flight when the first day ended is stored after its end
const batchMax = 200;

/**
 * The form in which idempotency keys are stored: a keyed hash. The previous version stored them in clear. For a day after an upgrade its
 * servers may still run, and must find the records of this version, so the records are written in its form; then hashed, while those
 * in clear are looked for until they have expired.
 */
export class StoredKeys {
  readonly #keyring: Keyring;
  readonly #clock: Clock;
  /** Epoch milliseconds; minus infinity where no earlier version has stored a key. */
  readonly #upgradedAt: number;
  readonly #inClear: Batcher<KeyOfTenant, boolean>;

  constructor(pool: Pool, keyring: Keyring, clock: Clock, upgradedAt = Number.NEGATIVE_INFINITY) {
    this.#keyring = keyring;
    this.#clock = clock;
    this.#upgradedAt = upgradedAt;
    this.#inClear = new Batcher({ itemsMax: batchMax, run: (keys) => areInClear(pool, keys) });
  }

  static async open(pool: Pool, keyring: Keyring, clock: Clock): Promise<StoredKeys> {
    const [row] = await query<{ migrated_at: Date }>(pool, 'select migrated_at from idempotency_upgrade', []);
    return new StoredKeys(pool, keyring, clock, row?.migrated_at.getTime());
  }

  /** Whether records are written in the form of the previous version. */
  get writesPreviousForm(): boolean {
    return this.#clock.now() < this.#upgradedAt + dayMs;
  }

  async storedForm(tenant: Tenant, key: string): Promise<string> {
    const hashed = hashedKey(this.#keyring, tenant, key);
    const isUpgrading = this.#clock.now() < this.#upgradedAt + 2 * dayMs + marginMs;
    if (!isUpgrading || wasRefused(key)) return hashed;
    return this.writesPreviousForm || (await this.#inClear.add({ tenant, key })) ? key : hashed;
  }
}

/**
 * Whether the previous version refused the key, so that it has stored none like it, and would use none. It overlooked card numbers with
 * other digits beside them: such a key has to be found in clear, or a retry would charge twice.
 */
function wasRefused(key: string): boolean {
  const runs = /^[\d -]+$/.test(key) ? [key] : (key.match(/(?<!\d)\d{13,19}(?!\d)/g) ?? []);
  const isCardNumber = (run: string) => {
    const number = readCardNumber(new Secret(run));
    return number.ok && number.brand !== 'unknown';
  };
  return apiKey.test(key) || runs.some(isCardNumber);
}

export function hashedKey(keyring: Keyring, tenant: Tenant, key: string): string {
  return keyring.hmac('idempotency_key', `${tenant}\n${key}`).toString('base64url');
}

async function areInClear(pool: Pool, keys: KeyOfTenant[]): Promise<boolean[]> {
  const rows = await query<KeyOfTenant>(
    pool,
    `select i.tenant, i.key from idempotency i join unnest($1::int4[], $2::text[]) as x (tenant, key)
         on i.tenant = x.tenant and i.key = x.key
      where i.tenant = any($1) and i.expires_at > now()`,
    [keys.map(({ tenant }) => tenant), keys.map(({ key }) => key)],
    'keys_in_clear',
  );
  const found = new Set(rows.map(({ tenant, key }) => `${tenant}/${key}`));
  return keys.map(({ tenant, key }) => found.has(`${tenant}/${key}`));
}
