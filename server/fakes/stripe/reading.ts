import { currencyOf } from '../../base/currency.ts';
import { invalid } from './errors.ts';
import type { FormFields } from './form.ts';

/** The parameters of one request. Every method refuses as Stripe does, naming the parameter. */
export class FakeParams {
  readonly #fields: FormFields;
  readonly #within: string;

  constructor(fields: FormFields, within = '') {
    this.#fields = fields;
    this.#within = within;
  }

  /** Refuses parameters that the endpoint does not have, or that this fake does not act on: ignoring one would be a lie. */
  only(...names: string[]): this {
    const unknown = this.names().find((name) => !names.includes(name));
    if (unknown === undefined) return this;
    const param = this.#full(unknown);
    throw invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }

  names(): string[] {
    return Object.keys(this.#fields);
  }

  text(name: string): string | undefined {
    const value = this.#fields[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string') return value;
    throw invalid(`Invalid string: ${JSON.stringify(value)}`, { param: this.#full(name) });
  }

  needed(name: string): string {
    const value = this.text(name);
    if (value !== undefined && value !== '') return value;
    const param = this.#full(name);
    throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    throw invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: this.#full(name) });
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value === 'true' || value === 'false') return value === 'true';
    throw invalid(`Invalid boolean: ${value}`, { param: this.#full(name) });
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    const found = allowed.find((one) => one === value);
    if (value === undefined || found !== undefined) return found;
    const words = allowed.join(', ');
    throw invalid(`Invalid ${this.#full(name)}: must be one of ${words}`, { param: this.#full(name) });
  }

  currency(name: string): string {
    const value = this.needed(name);
    const code = currencyOf(value);
    if (code !== undefined) return code;
    throw invalid(`Invalid currency: ${value}.`, { param: this.#full(name) });
  }

  group(name: string): FakeParams {
    const value = this.#fields[name];
    if (typeof value === 'string' || Array.isArray(value)) throw invalid('Invalid object', { param: this.#full(name) });
    return new FakeParams(value ?? {}, this.#full(name));
  }

  /** A list of groups: `items[0][price]=…`. */
  groups(name: string): FakeParams[] {
    const value = this.#fields[name];
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw invalid('Invalid array', { param: this.#full(name) });
    return value.map((one, at) => {
      if (typeof one === 'string' || Array.isArray(one)) throw invalid('Invalid object', { param: this.#full(name) });
      return new FakeParams(one, `${this.#full(name)}[${at}]`);
    });
  }

  isEmpty(name: string): boolean {
    return this.#fields[name] === '';
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined;
  }

  list(name: string): string[] {
    const value = this.#fields[name];
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value as string[];
    throw invalid('Invalid array', { param: this.#full(name) });
  }

  /** Merged member by member; an empty text removes a member. */
  metadata(before: Readonly<Record<string, string>> = {}): Record<string, string> {
    const given = this.group('metadata');
    const merged = { ...before };
    for (const name of given.names()) {
      const value = given.text(name)!;
      if (name.length > 40 || value.length > 500)
        throw invalid('Metadata keys have at most 40 characters, and values at most 500.', { param: 'metadata' });
      if (value === '') delete merged[name];
      else merged[name] = value;
    }
    if (Object.keys(merged).length > 50) throw invalid('Metadata have at most 50 keys.', { param: 'metadata' });
    return merged;
  }

  #full(name: string): string {
    return this.#within === '' ? name : `${this.#within}[${name}]`;
  }
}
