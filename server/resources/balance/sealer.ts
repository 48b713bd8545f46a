import type { Keyring } from '../../base/keyring.ts';
import type { Log } from '../../base/log.ts';
import type { Pool } from '../../base/sql.ts';
import { sealStep, unsealed } from '../../ledger/seal.ts';
import type { Loop } from '../duty.ts';

/**
 * A posting is sealed within a second of its commit. It may take two runs: during the first one, a transaction that began earlier may
 * still be open.
 */
const everyMs = 250;
const heldRunsMax = 240; // a minute

/** Seals postings as they come in. Every instance tries; the first one seals for all of them. */
export class Sealer implements Loop {
  readonly name = 'sealer';
  readonly everyMs = everyMs;
  readonly isWoken = false;
  readonly #pool: Pool;
  readonly #keyring: Keyring;
  readonly #log: Log;
  #isFailing = false;
  #heldRuns = 0;

  constructor({ durable, keyring, log }: { durable: Pool; keyring: Keyring; log: Log }) {
    this.#pool = durable;
    this.#keyring = keyring;
    this.#log = log;
  }

  async run(stopping: AbortSignal): Promise<void> {
    try {
      this.#noteHeld((await this.#sealAll(stopping)) === 'held');
      if (this.#isFailing) this.#log.info({}, 'the ledger is being sealed again');
      this.#isFailing = false;
    } catch (error) {
      // Four lines a second would hide everything else that is logged about the same trouble.
      if (!this.#isFailing)
        this.#log.warn(
          { error: String(error) },
          'the ledger could not be sealed; it is tried again four times a second',
        );
      this.#isFailing = true;
    }
  }

  /** A backlog is sealed step by step without a pause. */
  async #sealAll(stopping: AbortSignal) {
    let found = await unsealed(this.#pool);
    for (; !stopping.aborted && found === 'ready'; found = await unsealed(this.#pool))
      if ((await sealStep(this.#pool, this.#keyring)) !== 'sealed') break;
    return found;
  }

  #noteHeld(isHeld: boolean): void {
    this.#heldRuns = isHeld ? this.#heldRuns + 1 : 0;
    if (this.#heldRuns === heldRunsMax)
      this.#log.warn(
        {},
        'postings have waited for a minute to be sealed, because of a transaction that does not end; see pg_stat_activity and pg_prepared_xacts',
      );
  }
}
