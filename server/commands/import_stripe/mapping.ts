import { closeSync, openSync, writeSync } from 'node:fs';
import type { Kind } from './outcome.ts';

/** A file that says which id here belongs to which id at Stripe, as CSV. Each run writes all of it. */
export class Mapping {
  readonly #file: number | undefined;

  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openSync(path, 'w', 0o600);
    this.#write('object,stripe,tollgate');
  }

  add(kind: Kind, stripe: string, tollgate: string): void {
    this.#write([kind, stripe, tollgate].join(','));
  }

  #write(line: string): void {
    if (this.#file !== undefined) writeSync(this.#file, `${line}\n`);
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
