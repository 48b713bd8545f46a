import { networkOf } from '../../../base/ip_range.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Pool } from '../../../base/sql.ts';
import { takeCode } from './store.ts';

const perNetworkMax = 20;

/** Counts the codes that a network asks for, exactly over all instances: each one makes the gateway write a mail. */
export class PortalCodeLimit {
  readonly #pool: Pool;
  readonly #keyring: Keyring;

  /** `pool` must be durable enough that a restart does not open the limit: that of the rate limits is. */
  constructor(pool: Pool, keyring: Keyring) {
    this.#pool = pool;
    this.#keyring = keyring;
  }

  /** Seconds until the network may ask again; undefined: it may now, and this one is counted. */
  async take(address: string): Promise<number | undefined> {
    const { codes, seconds_left } = await takeCode(this.#pool, this.#keyring.hmac('portal', networkOf(address)));
    return codes > perNetworkMax ? Math.max(1, seconds_left) : undefined;
  }
}
