import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const fixture = join(import.meta.dirname, 'log.fixture.ts');

type FixtureLine = { line?: number; process?: number; loudLines?: object };

/** The lines that a program of the shell prints, in which `node` runs the fixture. */
async function linesOf(program: string): Promise<FixtureLine[]> {
  const child = spawn('sh', ['-c', `node() { "${process.execPath}" "${fixture}" "$@"; }; ${program}`]);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const isNumbered = ({ line }: FixtureLine) => line !== undefined;
const all = Array.from({ length: 1_400 }, (_, at) => at);

test('all lines are written in order before the process exits, also for a slow reader, and the loud ones are counted', async () => {
  // A real pipe, which holds 64 KiB. By the time it is read, it is full, and the process wants to exit.
  const lines = await linesOf('node | (sleep 0.5; cat)');
  expect(lines.filter(isNumbered).map(({ line }) => line)).toEqual(all);
  expect(lines.at(-1)!.loudLines).toEqual({ warn: 1, error: 2, fatal: 3 });
});

test('lines of processes that share a pipe are whole, and say whose they are', async () => {
  // The pipe is almost full whenever they write, so that a large block would go into it in parts.
  const lines = await linesOf('(node 1 & node 2; wait) | (sleep 1; dd bs=999 status=none)');
  for (const number of [1, 2])
    expect(
      lines
        .filter(isNumbered)
        .filter((one) => one.process === number)
        .map(({ line }) => line),
    ).toEqual(all);
});
