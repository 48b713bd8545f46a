import { readPlaces } from '../../../base/places/turns.ts';
import { failureLevel, type Pool } from '../../../base/sql.ts';
import { sealStep, type Unsealed, unsealed } from '../../../ledger/seal.ts';
import type { BackgroundLoop } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';

type SealerServices = Pick<Services, 'durable' | 'keyring' | 'log'>;

/**
 * A posting is sealed within a second of its commit. It may take two runs: during the first one, a transaction that began earlier may
 * still be open.
 */
const everyMs = 250;
const heldRunsMax = 240; // a minute

/** Seals postings as they come in. Every instance tries; the first one seals for all of them. */
export class Sealer implements BackgroundLoop {
  readonly name = 'sealer';
  readonly everyMs = everyMs;
  readonly isWoken = false;
  readonly #services: SealerServices;
  #isFailing = false;
  #heldRuns = 0;

  constructor(services: SealerServices) {
    this.#services = services;
  }

  async run(stopping: AbortSignal): Promise<void> {
    try {
      this.#noteHeld((await this.#sealAll(stopping)) === 'held');
      if (this.#isFailing) this.#services.log.info({}, 'the ledger is being sealed again');
      this.#isFailing = false;
    } catch (error) {
      const level = failureLevel(error);
      // Four warnings a second would hide everything else in the log.
      if (level === 'debug' || !this.#isFailing)
        this.#services.log[level](
          { error: String(error) },
          'could not seal the ledger; it is tried again four times a second',
        );
      this.#isFailing ||= level === 'warn';
    }
  }

  /**
   * A backlog is sealed step by step, without pauses. What came in meanwhile can wait for the next run: under load there is always
   * something, and a seal costs the same for one posting as for a hundred.
   */
  async #sealAll(stopping: AbortSignal): Promise<Unsealed> {
    const places = this.#services.durable.places('tenant');
    const found = await readPlaces(places, async (sql) => [await this.#sealAt(sql, stopping)]);
    return found.includes('held') ? 'held' : found[0]!;
  }

  async #sealAt(sql: Pool, stopping: AbortSignal): Promise<Unsealed> {
    const found = await unsealed(sql);
    if (found === 'ready') while (!stopping.aborted && (await sealStep(sql, this.#services.keyring)) === 'full');
    return found;
  }

  #noteHeld(isHeld: boolean): void {
    this.#heldRuns = isHeld ? this.#heldRuns + 1 : 0;
    if (this.#heldRuns === heldRunsMax)
      this.#services.log.warn(
        {},
        'postings have waited for a minute to be sealed, because of a transaction that does not end; see pg_stat_activity and pg_prepared_xacts',
      );
  }
}
