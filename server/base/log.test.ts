import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { after } from './timers.ts';

test('all lines are written in order before the process exits, also for a slow reader', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'log.fixture.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    child.stdout.pause();
    after(5, () => child.stdout.resume());
  });
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  const lines = text.split('\n').filter(Boolean);
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 1_400 }, (_, at) => at));
});
