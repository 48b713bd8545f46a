import { inspect } from 'node:util';

/** A value that must not be printed. It prints as `[secret]` in logs, JSON, templates and errors; only `open` returns it. */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  open(): T {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
