import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { errorCode } from '../errors.ts';

const outputKeptCharacters = 4_096;

/**
 * Programs get this environment and nothing of ours: PG* variables would change what PostgreSQL does, our own may be secret,
 * and LC_ALL keeps PostgreSQL's messages in the English that we search for.
 */
const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** Starts a program in a new process group, so that Ctrl-C in our terminal does not reach it. */
export function spawnProgram(command: readonly string[], stdio: SpawnOptions['stdio'], timeout?: number): ChildProcess {
  const [program = '', ...args] = command;
  return spawn(program, args, { env: environment, cwd: '/', detached: true, stdio, timeout, killSignal: 'SIGKILL' });
}

export type ProgramResult = {
  ok: boolean;
  /** The program itself was not found. */
  missing: boolean;
  /** The end of its output on both channels, or the reason why it did not start. */
  output: string;
};

type RunOptions = { limitMs: number; input?: string; keepCharacters?: number };

/** Runs a program to its end. A program that takes longer than the limit is killed. */
export function runProgram(command: readonly string[], options: RunOptions): Promise<ProgramResult> {
  const { limitMs, input = '', keepCharacters = outputKeptCharacters } = options;
  return new Promise((resolve) => {
    const child = spawnProgram(command, 'pipe', limitMs);
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-keepCharacters);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    // A program that exits without reading its input makes this channel fail; its exit code is reported.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', (error) => resolve({ ok: false, missing: errorCode(error) === 'ENOENT', output: error.message }));
    child.on('close', (code) => {
      if (child.killed) output += `\nStopped: it took longer than ${limitMs / 1_000} s.`;
      resolve({ ok: code === 0, missing: false, output: output.trim() });
    });
  });
}
