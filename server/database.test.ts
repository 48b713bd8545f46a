import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeOnce } from './database.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tollgate-key-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a vault key is written for its owner alone, and nothing is left beside it', () => {
  writeOnce(join(dir, 'vault.key'), 'first');
  expect(readFileSync(join(dir, 'vault.key'), 'utf8')).toBe('first');
  expect(statSync(join(dir, 'vault.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['vault.key']);
});

test('of two first starts, the second keeps the vault key of the first', () => {
  writeOnce(join(dir, 'vault.key'), 'first');
  writeOnce(join(dir, 'vault.key'), 'second');
  expect(readFileSync(join(dir, 'vault.key'), 'utf8')).toBe('first');
  expect(readdirSync(dir)).toEqual(['vault.key']);
});

test('a file system without hard links keeps the first vault key too', () => {
  const link = () => {
    throw Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  };
  writeOnce(join(dir, 'vault.key'), 'first', link);
  writeOnce(join(dir, 'vault.key'), 'second', link);
  expect(readFileSync(join(dir, 'vault.key'), 'utf8')).toBe('first');
  expect(statSync(join(dir, 'vault.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['vault.key']);
});
