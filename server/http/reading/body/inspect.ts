import { BodyError, parameterError } from './error.ts';
import { isExact } from './number.ts';

/** How many objects and lists may stand inside each other, the body itself included. */
export const jsonDepthMax = 32;

/**
 * Reads a JSON text character by character and throws a BodyError at the first fault, with its place. It knows the
 * whole grammar, so it also explains what JSON.parse only refuses (and whose messages quote the text, which we must
 * not). It builds nothing: when it returns, JSON.parse may be trusted.
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
  private readonly text: string;
  private readonly path: (string | number)[] = [];
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  body(): void {
    if (this.text.startsWith('\ufeff')) {
      throw new BodyError('body_invalid', 'The body starts with a byte order mark. Send UTF-8 without one.');
    }
    if (looksLikeForm.test(this.text)) {
      throw new BodyError(
        'body_invalid',
        'The body looks like a form, but its Content-Type is application/json. ' +
          'Send it as application/x-www-form-urlencoded, or send JSON.',
      );
    }
    this.space();
    this.value();
    this.space();
    if (this.at < this.text.length) this.fail('there is more text after the end of the JSON value', 'Send one object');
  }

  private value(): void {
    const c = this.peek();
    if (c === '{') this.object();
    else if (c === '[') this.list();
    else if (c === '"') this.string('value');
    else if (c === '-' || (c >= '0' && c <= '9')) this.number();
    else if (!(this.word('true') || this.word('false') || this.word('null'))) this.failAtValue(c);
  }

  private object(): void {
    this.open();
    const keys = new Set<string>();
    if (this.peek() !== '}') {
      for (;;) {
        const start = this.at;
        if (this.peek() !== '"') this.failAtKey(this.peek(), keys.size > 0);
        const key = this.string('key');
        this.path.push(key);
        this.checkKey(key, keys, start);
        this.space();
        if (this.peek() !== ':') this.fail('a colon is missing after a key', 'Write "key": value');
        this.at += 1;
        this.space();
        this.value();
        this.path.pop();
        this.space();
        if (this.peek() !== ',') break;
        this.at += 1;
        this.space();
      }
    }
    this.close('}', 'a comma or the closing } is missing');
  }

  private list(): void {
    this.open();
    if (this.peek() !== ']') {
      for (let index = 0; ; index += 1) {
        this.path.push(index);
        this.value();
        this.path.pop();
        this.space();
        if (this.peek() !== ',') break;
        this.at += 1;
        this.space();
      }
    }
    this.close(']', 'a comma or the closing ] is missing');
  }

  private checkKey(key: string, keys: Set<string>, at: number): void {
    if (key === '__proto__') {
      throw parameterError(
        this.path,
        () => `A key is named __proto__ (${this.place(at)}). That name is not accepted: choose another.`,
      );
    }
    if (keys.has(key)) {
      throw parameterError(
        this.path,
        (parameter) => `${parameter} is given twice in one JSON object (${this.place(at)}). Send it once.`,
      );
    }
    keys.add(key);
  }

  /** Steps over a string and returns what it says. A fault in a key is blamed on the object around it. */
  private string(role: 'key' | 'value'): string {
    const start = this.at;
    let escaped = false;
    this.at += 1;
    for (;;) {
      const c = this.peek();
      if (c === '"') break;
      if (c === end) this.fail('it ends inside a string', 'Check that the whole body was sent');
      if (c === '\u0000') this.failNul(role, this.at);
      if (c < ' ')
        this.fail('a string holds a raw control character or line break', 'Write it as an escape such as \\n');
      if (c === '\\') {
        escaped = true;
        this.escape();
      } else {
        this.at += 1;
      }
    }
    this.at += 1;
    if (!escaped) return this.text.slice(start + 1, this.at - 1);

    const decoded: string = JSON.parse(this.text.slice(start, this.at));
    if (decoded.includes('\u0000')) this.failNul(role, start);
    if (!decoded.isWellFormed()) {
      throw parameterError(
        this.path,
        (parameter) =>
          `${role === 'key' ? 'A key' : parameter} holds half of a surrogate pair, which is not a character (string at ${this.place(start)}). ` +
          'Send both halves, or the character itself as UTF-8.',
      );
    }
    return decoded;
  }

  private escape(): void {
    escapeSyntax.lastIndex = this.at;
    if (!escapeSyntax.test(this.text)) {
      this.fail('a string holds an unknown escape', 'Use \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hex digits');
    }
    this.at = escapeSyntax.lastIndex;
  }

  private number(): void {
    const start = this.at;
    numberSyntax.lastIndex = start;
    const literal = numberSyntax.exec(this.text)?.[0];
    if (literal === undefined) this.fail('a number has no digits after its sign', 'Write it like -12 or 0.5');
    this.at = start + literal.length;
    if (/[0-9.eE+-]/.test(this.peek())) {
      this.fail('a number is malformed', 'Write it like 12, 0.5 or 1e3, without leading zeros and separators');
    }
    if (!isExact(literal)) {
      throw parameterError(
        this.path,
        (parameter) =>
          `${parameter} is a number that cannot be read exactly (${this.place(start)}): it is too large, too small ` +
          'or has too many digits for a 64-bit float. Send a smaller number, or a string where a string is accepted.',
      );
    }
    if (literal.startsWith('-') && Number(literal) === 0) this.negativeZero = true;
  }

  private open(): void {
    this.depth += 1;
    if (this.depth > jsonDepthMax) {
      throw new BodyError(
        'body_invalid',
        `The body is nested more than ${jsonDepthMax} levels deep (${this.place(this.at)}). Send a flatter structure.`,
      );
    }
    this.at += 1;
    this.space();
  }

  private close(bracket: string, problem: string): void {
    this.space();
    if (this.peek() !== bracket) this.fail(problem, 'Put it there');
    this.depth -= 1;
    this.at += 1;
  }

  private space(): void {
    for (let c = this.peek(); c === ' ' || c === '\n' || c === '\r' || c === '\t'; c = this.peek()) this.at += 1;
  }

  private word(word: string): boolean {
    if (!this.text.startsWith(word, this.at) || /\w/.test(this.text.charAt(this.at + word.length))) return false;
    this.at += word.length;
    return true;
  }

  private peek(): string {
    return this.text.charAt(this.at);
  }

  private place(at: number): string {
    const line = this.text.slice(0, at).split('\n').length;
    return `line ${line}, column ${at - this.text.lastIndexOf('\n', at - 1)}`;
  }

  private fail(problem: string, advice: string): never {
    const [what, todo] =
      this.at < this.text.length
        ? [problem, advice]
        : ['it ends before it is complete', 'Check that the whole body was sent'];
    throw new BodyError('body_invalid', `The body is not valid JSON: ${what} (${this.place(this.at)}). ${todo}.`);
  }

  private failAtValue(c: string): never {
    if (c === "'") this.fail('a string starts with a single quote', 'Put strings in double quotes');
    if (c === '/' || c === '#') this.fail('a comment stands where a value must', 'Remove it: JSON has no comments');
    if (c === '+' || c === '.') this.fail('a number starts with a plus or a point', 'Write it like 12 or 0.5');
    if (c === ',' || c === ']' || c === '}') this.fail('a value is missing', 'Write it, or remove a comma too many');
    if (/[A-Za-z]/.test(c)) {
      this.fail('a word stands where a value must', 'Only true, false and null are written without double quotes');
    }
    this.fail('a value must stand here', 'Write an object, list, string, number, true, false or null');
  }

  private failAtKey(c: string, afterComma: boolean): never {
    if (c === '}' && afterComma) this.fail('a comma stands before the closing }', 'Remove the comma');
    if (c === "'") this.fail('a key is in single quotes', 'Put keys in double quotes');
    this.fail('a key must stand here', 'Put keys in double quotes');
  }

  private failNul(role: 'key' | 'value', at: number): never {
    throw parameterError(
      this.path,
      (parameter) =>
        `${role === 'key' ? 'A key' : parameter} holds a NUL character (${this.place(at)}). ` +
        'Remove it: NUL cannot be stored in text.',
    );
  }
}
