import type { Services } from '../../../operations/services.ts';
import { takePlaces } from './store.ts';

const minuteMs = 60_000;

/** By its start, in epoch milliseconds. */
export type Minute = number;

type PlacingServices = Pick<Services, 'durable' | 'clock' | 'mail' | 'onDue'>;

/** How many mails may be sent in a minute, by all instances together. */
export class MailPlaces {
  readonly #parts: PlacingServices;
  /** Until then there are none, in epoch milliseconds. */
  #takenUntil = 0;
  /** Those of a minute that this instance has taken and did not need. */
  #spare = { minute: 0, count: 0 };

  constructor(parts: PlacingServices) {
    this.#parts = parts;
  }

  get areTaken(): boolean {
    return this.#parts.clock.now() < this.#takenUntil;
  }

  async take(wanted: number): Promise<{ count: number; minute: Minute }> {
    const { durable, mail, onDue } = this.#parts;
    const { perMinute: max } = mail;
    const minute = this.#minute();
    if (max === 0 || wanted === 0) return { count: wanted, minute };
    const spare = this.#takeSpare(minute, wanted);
    const more = wanted - spare;
    const taken = more === 0 ? 0 : await takePlaces(durable.directory, { minute: new Date(minute), wanted: more, max });
    // Those that were given back meanwhile: nobody else asks for them once all are said to be taken.
    const count = spare + taken + this.#takeSpare(minute, more - taken);
    if (count < wanted) {
      this.#takenUntil = minute + minuteMs;
      onDue(this.#takenUntil);
    }
    return { count, minute };
  }

  /** A place that was taken for a mail that was not sent: those who must not get mails delay nobody else's. */
  giveBack(minute: Minute): void {
    const { mail, clock, onDue } = this.#parts;
    if (mail.perMinute === 0 || minute !== this.#minute()) return;
    this.#spare = { minute, count: this.#spare.minute === minute ? this.#spare.count + 1 : 1 };
    if (!this.areTaken) return;
    this.#takenUntil = 0;
    onDue(clock.now());
  }

  #takeSpare(minute: Minute, wanted: number): number {
    if (this.#spare.minute !== minute) return 0;
    const count = Math.min(this.#spare.count, wanted);
    this.#spare.count -= count;
    return count;
  }

  #minute(): Minute {
    return Math.floor(this.#parts.clock.now() / minuteMs) * minuteMs;
  }
}
