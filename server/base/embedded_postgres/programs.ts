import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

const outputKeptCharacters = 4_096;

/**
 * Programs get this environment and nothing of ours: PG* variables would change what PostgreSQL does, our own may be secret,
 * and LC_ALL keeps its messages in the English that we look for.
 */
const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** Starts a program in a process group of its own, so that Ctrl-C in our terminal does not reach it. */
export function spawnProgram(command: readonly string[], stdio: SpawnOptions['stdio']): ChildProcess {
  const [program = '', ...args] = command;
  return spawn(program, args, { env: environment, cwd: '/', detached: true, stdio: stdio ?? 'ignore' });
}

export type ProgramResult = {
  ok: boolean;
  /** The program itself was not found. */
  missing: boolean;
  /** The end of what it wrote on both channels, or why it did not start. */
  output: string;
};

export type RunOptions = { limitMs: number; input?: string; keepCharacters?: number };

/** Runs a program to its end. One that takes longer than the limit is killed. */
export function runProgram(command: readonly string[], options: RunOptions): Promise<ProgramResult> {
  const { limitMs, input = '', keepCharacters = outputKeptCharacters } = options;
  return new Promise((resolve) => {
    const child = spawnProgram(command, ['pipe', 'pipe', 'pipe']);
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-keepCharacters);
    };
    const timer = setTimeout(() => {
      output += `\nStopped: it took longer than ${limitMs / 1_000} s.`;
      child.kill('SIGKILL');
    }, limitMs);
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    // A program that ends without reading its input makes this channel fail; its exit code tells the story.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve({ ok: false, missing: error.code === 'ENOENT', output: error.message });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ ok: code === 0, missing: false, output: output.trim() });
    });
  });
}
