import type { Keyring } from '../base/keyring.ts';
import type { Log } from '../base/log.ts';
import type { Pool } from '../base/sql.ts';
import { every, type Timer } from '../base/timers.ts';
import { sealStep, unsealed } from '../ledger/seal.ts';

/**
 * A posting is sealed within a second of its commit. It may take two looks: at the first one, a transaction that began earlier may
 * still be running.
 */
const lookEveryMs = 250;
const heldLooksMax = 240; // a minute

/** Seals postings as they come in. Every instance looks; whoever comes first seals for everybody. */
export class Sealer {
  readonly #pool: Pool;
  readonly #keyring: Keyring;
  readonly #log: Log;
  #timer: Timer | undefined;
  #sealing: Promise<void> | undefined;
  #isFailing = false;
  #heldLooks = 0;
  #stopped = false;

  constructor({ pool, keyring, log }: { pool: Pool; keyring: Keyring; log: Log }) {
    this.#pool = pool;
    this.#keyring = keyring;
    this.#log = log;
  }

  start(): void {
    this.#timer = every(lookEveryMs, () => this.#begin());
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#sealing;
  }

  /** While it is busy with a backlog, the next looks fall out. */
  #begin(): void {
    this.#sealing ??= this.#sealAll().finally(() => {
      this.#sealing = undefined;
    });
  }

  async #sealAll(): Promise<void> {
    try {
      let found = await unsealed(this.#pool);
      for (; !this.#stopped && found === 'ready'; found = await unsealed(this.#pool))
        if ((await sealStep(this.#pool, this.#keyring)) !== 'sealed') break;
      this.#heldLooks = found === 'held' ? this.#heldLooks + 1 : 0;
      if (this.#heldLooks === heldLooksMax)
        this.#log.warn(
          {},
          'postings have waited for a minute to be sealed, because of a transaction that does not end; see pg_stat_activity and pg_prepared_xacts',
        );
      if (this.#isFailing) this.#log.info({}, 'the ledger is being sealed again');
      this.#isFailing = false;
    } catch (error) {
      // Four times a second would drown everything else that is said about the same trouble.
      if (!this.#isFailing)
        this.#log.warn(
          { error: String(error) },
          'the ledger could not be sealed; it is tried again four times a second',
        );
      this.#isFailing = true;
    }
  }
}
