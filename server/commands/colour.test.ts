import { afterEach, expect, test, vi } from 'vitest';
import { coloured } from './colour.ts';

afterEach(() => void vi.unstubAllEnvs());

test('words are coloured on a terminal alone, and not where NO_COLOR is set', () => {
  vi.stubEnv('NO_COLOR', '');
  expect(coloured('red', 'WRONG', { isTTY: true })).toBe('\x1b[31mWRONG\x1b[39m');
  expect(coloured('red', 'WRONG', { isTTY: false })).toBe('WRONG');
  vi.stubEnv('NO_COLOR', '1');
  expect(coloured('red', 'WRONG', { isTTY: true })).toBe('WRONG');
});
