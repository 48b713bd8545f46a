import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('all lines are written in order before the process exits, also for a slow reader', async () => {
  const fixture = join(import.meta.dirname, 'log.fixture.ts');
  // A real pipe, which holds 64 KiB. By the time it is read, it is full, and the process wants to exit.
  const child = spawn('sh', ['-c', '"$0" "$1" | (sleep 0.5; cat)', process.execPath, fixture]);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  const lines = text.split('\n').filter(Boolean);
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 1_400 }, (_, at) => at));
});
