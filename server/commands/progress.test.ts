import { expect, test } from 'vitest';
import { announce, Progress } from './progress.ts';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text.replaceAll('\r\x1b[K', '|')) };
}

test('a terminal sees a bar, at most ten times a second, and nothing is left of it', () => {
  const screen = terminal(true);
  let now = 0;
  {
    using progress = new Progress('verified', screen, () => now);
    progress.set(1, 4);
    progress.set(2, 4); // too soon
    now = 150;
    progress.set(3, 4, 'at 2035-01-31');
  }
  expect(screen.written).toEqual([
    `|[${'#'.repeat(8)}${'.'.repeat(22)}] 25%  verified`,
    `|[${'#'.repeat(23)}${'.'.repeat(7)}] 75%  verified, at 2035-01-31`,
    '|',
  ]);
});

test('without a total it is a count', () => {
  const screen = terminal(true);
  const progress = new Progress('rows', screen, () => 0);
  progress.add(500);
  expect(screen.written).toEqual(['|500 rows']);
});

test('what is not a terminal sees nothing', () => {
  const file = terminal(false);
  {
    using progress = new Progress('rows', file, () => 0);
    progress.add(500);
  }
  expect(file.written).toEqual([]);
});

test('a step is a line that stays, for a terminal alone', () => {
  const [screen, file] = [terminal(true), terminal(false)];
  for (const one of [screen, file]) announce('Starting PostgreSQL', one);
  expect([screen.written, file.written]).toEqual([['Starting PostgreSQL …\n'], []]);
});
