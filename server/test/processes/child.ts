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
    return until(`process ${this.pid} ends`, limitMs, () => this.ending).catch((error: Error) => {
      throw new Error(`${error.message}; it said:\n${this.#said()}`);
    });
  }

  async stop(signal: NodeJS.Signals, limitMs = patienceMs): Promise<Ending> {
    this.signal(signal);
    return this.ends(limitMs);
  }

  async prints(pattern: RegExp, limitMs = patienceMs): Promise<RegExpExecArray> {
    return until(`process ${this.pid} prints ${pattern}`, limitMs, () => {
      const found = pattern.exec(this.stdout);
      if (found === null && this.ending !== undefined)
        throw new Error(`process ${this.pid} ended (${JSON.stringify(this.ending)}) and said:\n${this.#said()}`);
      return found;
    });
  }

  #said(): string {
    return `${this.stdout}\n${this.stderr}`;
  }
}
