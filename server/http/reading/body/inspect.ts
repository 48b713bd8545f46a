import type { ApiError } from '../../../base/errors.ts';
import { bodyError, keyError, parameterError } from './error.ts';
import { isExact } from './number.ts';

/** Levels of nested objects and lists, the body itself included. */
export const jsonDepthMax = 32;

/**
 * Reads a JSON text character by character and refuses it at the first fault, with its place. It knows the whole grammar,
 * so it also explains what JSON.parse refuses. (The messages of JSON.parse quote the text, which may hold a card number.)
 * It builds nothing: when it returns, JSON.parse may be trusted.
 */
export function inspectJson(text: string): { negativeZero: boolean } {
  const inspector = new Inspector(text);
  inspector.body();
  return { negativeZero: inspector.negativeZero };
}

const end = '';
const numberSyntax = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const escapeSyntax = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const looksLikeForm = /^[A-Za-z_][\w.%[\]-]*=/;

class Inspector {
  negativeZero = false;
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  body(): void {
    if (this.#text.startsWith('\ufeff'))
      throw bodyError('The body starts with a byte order mark. Send UTF-8 without one.');
    if (looksLikeForm.test(this.#text))
      throw bodyError(
        'The body looks like a form, but its Content-Type is application/json. Send it as application/x-www-form-urlencoded, or send JSON.',
      );
    this.#space();
    this.#value();
    this.#space();
    if (this.#at < this.#text.length)
      this.#fail('there is more text after the end of the JSON value', 'Send one object');
  }

  #value(): void {
    const c = this.#peek();
    if (c === '{') this.#object();
    else if (c === '[') this.#list();
    else if (c === '"') this.#string('value');
    else if (c === '-' || (c >= '0' && c <= '9')) this.#number();
    else if (!(this.#word('true') || this.#word('false') || this.#word('null'))) this.#failAtValue(c);
  }

  #object(): void {
    const keys = new Set<string>();
    this.#open();
    for (let more = this.#peek() !== '}'; more; more = this.#comma()) {
      const start = this.#at;
      if (this.#peek() !== '"') this.#failAtKey(this.#peek(), keys.size > 0);
      const key = this.#string('key');
      this.#path.push(key);
      this.#checkKey(key, keys, start);
      this.#space();
      if (this.#peek() !== ':') this.#fail('a colon is missing after a key', 'Write "key": value');
      this.#step();
      this.#value();
      this.#path.pop();
    }
    this.#close('}');
  }

  #list(): void {
    let index = 0;
    this.#open();
    for (let more = this.#peek() !== ']'; more; more = this.#comma()) {
      this.#path.push(index++);
      this.#value();
      this.#path.pop();
    }
    this.#close(']');
  }

  #checkKey(key: string, keys: Set<string>, at: number): void {
    if (key === '__proto__')
      throw keyError(
        this.#path,
        `A key is named __proto__ (${this.#place(at)}). That name is not accepted: choose another.`,
      );
    if (keys.has(key))
      throw parameterError(this.#path, `is given twice in one JSON object (${this.#place(at)}). Send it once.`);
    keys.add(key);
  }

  /** Steps over a string and returns its text. */
  #string(role: 'key' | 'value'): string {
    const start = this.#at;
    let escaped = false;
    this.#at += 1;
    for (let c = this.#peek(); c !== '"'; c = this.#peek()) {
      if (c === end) this.#fail('it ends inside a string', 'Check that the whole body was sent');
      if (c === '\u0000') this.#failNul(role, this.#at);
      if (c < ' ')
        this.#fail('a string holds a raw control character or line break', 'Write it as an escape such as \\n');
      if (c === '\\') {
        escaped = true;
        this.#escape();
      } else {
        this.#at += 1;
      }
    }
    this.#at += 1;
    if (!escaped) return this.#text.slice(start + 1, this.#at - 1);

    const decoded: string = JSON.parse(this.#text.slice(start, this.#at));
    if (decoded.includes('\u0000')) this.#failNul(role, start);
    if (!decoded.isWellFormed())
      throw this.#stringError(
        role,
        `holds half of a surrogate pair, which is not a character (string at ${this.#place(start)}). Send both halves, or the character itself as UTF-8.`,
      );
    return decoded;
  }

  #escape(): void {
    escapeSyntax.lastIndex = this.#at;
    if (!escapeSyntax.test(this.#text))
      this.#fail('a string holds an unknown escape', 'Use \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hex digits');
    this.#at = escapeSyntax.lastIndex;
  }

  #number(): void {
    const start = this.#at;
    numberSyntax.lastIndex = start;
    const literal = numberSyntax.exec(this.#text)?.[0];
    if (literal === undefined) this.#fail('a number has no digits after its sign', 'Write it like -12 or 0.5');
    this.#at = start + literal.length;
    if (/[0-9.eE+-]/.test(this.#peek()))
      this.#fail('a number is malformed', 'Write it like 12, 0.5 or 1e3, without leading zeros and separators');
    if (!isExact(literal))
      throw parameterError(
        this.#path,
        `is a number that cannot be read exactly (${this.#place(start)}): it is too large, too small or has too many digits for a 64-bit float. Send a smaller number, or a string where a string is accepted.`,
      );
    if (literal.startsWith('-') && Number(literal) === 0) this.negativeZero = true;
  }

  #open(): void {
    this.#depth += 1;
    if (this.#depth > jsonDepthMax)
      throw bodyError(
        `The body is nested more than ${jsonDepthMax} levels deep (${this.#place(this.#at)}). Send a flatter structure.`,
      );
    this.#step();
  }

  /** Steps over the comma between two members, if there is one. */
  #comma(): boolean {
    this.#space();
    if (this.#peek() !== ',') return false;
    this.#step();
    return true;
  }

  #close(bracket: '}' | ']'): void {
    if (this.#peek() !== bracket) this.#fail(`a comma or the closing ${bracket} is missing`, 'Add it');
    this.#depth -= 1;
    this.#at += 1;
  }

  /** Steps over a character and the white space after it. */
  #step(): void {
    this.#at += 1;
    this.#space();
  }

  #space(): void {
    for (let c = this.#peek(); c === ' ' || c === '\n' || c === '\r' || c === '\t'; c = this.#peek()) this.#at += 1;
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at) || /\w/.test(this.#text.charAt(this.#at + word.length))) return false;
    this.#at += word.length;
    return true;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #place(at: number): string {
    const line = this.#text.slice(0, at).split('\n').length;
    return `line ${line}, column ${at - this.#text.lastIndexOf('\n', at - 1)}`;
  }

  #fail(problem: string, advice: string): never {
    const [what, todo] =
      this.#at < this.#text.length
        ? [problem, advice]
        : ['it ends before it is complete', 'Check that the whole body was sent'];
    throw bodyError(`The body is not valid JSON: ${what} (${this.#place(this.#at)}). ${todo}.`);
  }

  #failAtValue(c: string): never {
    if (c === "'") this.#fail('a string starts with a single quote', 'Put strings in double quotes');
    if (c === '/' || c === '#')
      this.#fail('there is a comment where a value is expected', 'Remove it: JSON has no comments');
    if (c === '+' || c === '.') this.#fail('a number starts with a plus or a point', 'Write it like 12 or 0.5');
    if (c === ',' || c === ']' || c === '}') this.#fail('a value is missing', 'Write it, or remove the extra comma');
    if (/[A-Za-z]/.test(c))
      this.#fail(
        'there is a word where a value is expected',
        'Only true, false and null are written without double quotes',
      );
    this.#fail('a value is expected here', 'Write an object, list, string, number, true, false or null');
  }

  #failAtKey(c: string, afterComma: boolean): never {
    if (c === '}' && afterComma) this.#fail('there is a comma before the closing }', 'Remove the comma');
    if (c === "'") this.#fail('a key is in single quotes', 'Put keys in double quotes');
    this.#fail('a key is expected here', 'Put keys in double quotes');
  }

  #failNul(role: 'key' | 'value', at: number): never {
    throw this.#stringError(
      role,
      `holds a NUL character (${this.#place(at)}). Remove it: NUL cannot be stored in text.`,
    );
  }

  /** A fault in a key is blamed on the object around it. */
  #stringError(role: 'key' | 'value', fault: string): ApiError {
    return role === 'key' ? keyError(this.#path, `A key ${fault}`) : parameterError(this.#path, fault);
  }
}
