import type { ChildProcess } from 'node:child_process';
import { untilNextLook } from '../eventually.ts';
import { limitMs } from '../torture.ts';

/** Ends a hang. The limit is generous, because a busy machine is not a failure. */
export const patienceMs = 120_000;
/** The same for a whole test, which waits several times. */
export const testMs = Math.max(300_000, limitMs);

export type Environment = Record<string, string>;
export type Ending = { code: number | null; signal: NodeJS.Signals | null };
export type Finished = Ending & { stdout: string; stderr: string };

type Nothing = undefined | null | false;

/** Polls until the condition returns a value; fails with its name after the limit. */
export async function until<T>(
  what: string,
  limitMs: number,
  condition: () => T | Nothing | Promise<T | Nothing>,
): Promise<T> {
  const since = performance.now();
  for (;;) {
    const found = await condition();
    if (found !== undefined && found !== null && found !== false) return found as T;
    if (performance.now() - since > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    await untilNextLook(since);
  }
}

export class Child {
  readonly process: ChildProcess;
  readonly startedAt = performance.now();
  stdout = '';
  stderr = '';
  ending: Ending | undefined;

  constructor(process: ChildProcess) {
    this.process = process;
    process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // `close`, not `exit`: by then all output has been read.
    process.once('close', (code, signal) => {
      this.ending = { code, signal };
    });
  }

  get pid(): number {
    return this.process.pid!;
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  async ends(limitMs = patienceMs): Promise<Ending> {
    return this.#until('ends', limitMs, () => this.ending);
  }

  async stop(signal: NodeJS.Signals, limitMs = patienceMs): Promise<Ending> {
    this.signal(signal);
    return this.ends(limitMs);
  }

  async prints(pattern: RegExp, limitMs = patienceMs): Promise<RegExpExecArray> {
    return this.#until(`prints ${pattern}`, limitMs, () => {
      const found = pattern.exec(this.stdout);
      if (found === null && this.ending !== undefined) throw new Error(`process ${this.pid} ended`);
      return found;
    });
  }

  /** A failure shows what the process said until then. */
  async #until<T>(what: string, limitMs: number, condition: () => T | Nothing): Promise<T> {
    return until(`process ${this.pid} ${what}`, limitMs, condition).catch((error: Error) => {
      const ending = this.ending && ` (${JSON.stringify(this.ending)})`;
      throw new Error(`${error.message}${ending ?? ''}; it said:\n${this.stdout}\n${this.stderr}`);
    });
  }
}
