import type { Clock } from '../../base/clock.ts';
import type { KeyWithAccount } from '../../operations/caller.ts';

const keysMax = 10_000;

/** `at`: when it was read. */
type SeenKey = { key: KeyWithAccount; at: number; usedAt: number };

/**
 * Keys as they were last read. In a cluster the directory can be down while the places of tenants are not: its keys then stay valid for a
 * while, at this instance.
 */
export class LastSeenKeys {
  readonly #clock: Clock;
  readonly #graceMs: number;
  readonly #seen = new Map<string, SeenKey>();

  constructor(clock: Clock, graceMs: number) {
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  /** As the directory has just answered; undefined: there is no such key. */
  note(hash: string, key: KeyWithAccount | undefined): void {
    if (this.#graceMs === 0) return;
    this.#seen.delete(hash); // so that it is the newest
    if (key === undefined) return;
    const now = this.#clock.monotonic();
    this.#seen.set(hash, { key, at: now, usedAt: now });
    if (this.#seen.size <= keysMax) return;
    const [oldest = ''] = this.#seen.keys();
    this.#seen.delete(oldest);
  }

  /** Those that were used lately. They are read again while the directory answers, so that a key that is revoked then does not come back later. */
  inUse(): string[] {
    const since = this.#clock.monotonic() - this.#graceMs;
    return [...this.#seen].filter(([, { usedAt }]) => usedAt > since).map(([hash]) => hash);
  }

  renew(hash: string, key: KeyWithAccount | undefined): void {
    const seen = this.#seen.get(hash);
    if (key === undefined) this.#seen.delete(hash);
    else if (seen !== undefined) Object.assign(seen, { key, at: this.#clock.monotonic() });
  }

  /** What was revoked in the meantime is not known here; what has expired since, or was to be revoked by now, is. */
  find(hash: string): KeyWithAccount | undefined {
    const seen = this.#seen.get(hash);
    if (seen === undefined || this.#clock.monotonic() - seen.at >= this.#graceMs) return undefined;
    const { key } = seen;
    const now = this.#clock.now();
    return { ...key, expired: isPast(key.expires_at, now), revoked: isPast(key.revoked_at, now) };
  }
}

function isPast(moment: Date | null, now: number): boolean {
  return moment !== null && moment.getTime() <= now;
}
