import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readPairs, readSecrets, withQuestions } from './secret_sources.ts';

const dir = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'));
const file = join(dir, 'key.txt');
beforeAll(() => {
  writeFileSync(file, 'sk_file\n');
  writeFileSync(join(dir, 'empty.txt'), '\n');
  vi.stubEnv('DOCK_KEY', 'sk_variable');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

const typed = async (name: string) => `typed ${name}\r\n`;

describe('a secret', () => {
  const good: [pair: string, secret: string][] = [
    [`secret_key=@${file}`, 'sk_file'],
    ['secret_key=env:DOCK_KEY', 'sk_variable'],
    ['secret_key=-', 'typed secret_key'],
    ['secret_key=', ''],
  ];
  test.each(good)('%s is read from its source', async (pair, secret_key) => {
    expect(await readSecrets([pair], typed)).toEqual({ secret_key });
  });

  const wrong: [pair: string, message: string][] = [
    ['secret_key=sk_canary', 'other users of this machine can see the arguments'],
    ['sk_canary', '--credential takes a name and a source'],
    ['sk-canary=x', '--credential takes a name and a source'],
    ['secret_key=env:NO_SUCH_KEY', 'the variable NO_SUCH_KEY is not set'],
    [`secret_key=@${join(dir, 'empty.txt')}`, 'its source is empty'],
    ['secret_key=@/nowhere/key.txt', '--credential secret_key: /nowhere/key.txt does not exist'],
    [`secret_key=@${dir}`, `${dir} is a directory, not a file`],
  ];
  test.each(wrong)('%s is refused, and not repeated', async (pair, message) => {
    const refused = await readSecrets([pair], typed).catch((error: Error) => error.message);
    expect(refused).toContain(message);
    expect(refused).not.toContain('canary');
  });

  test('of each name is asked for in turn', async () => {
    expect(await readSecrets(['one=-', 'two=-'], typed)).toEqual({ one: 'typed one', two: 'typed two' });
  });
});

describe('secrets on standard input', () => {
  const read = async (input: string, isTTY: boolean) => {
    const stdin = Object.assign(new PassThrough(), { isTTY });
    const shown: string[] = [];
    stdin.end(input);
    const terminal = { stdin, stderr: { write: (text: string) => shown.push(text) } };
    const secrets = await withQuestions((ask) => readSecrets(['one=-', 'two=-'], ask), terminal);
    return { secrets, shown: shown.join('') };
  };

  test('are piped, a line each', async () => {
    expect(await read('first\nsecond\n', false)).toEqual({ secrets: { one: 'first', two: 'second' }, shown: '' });
    await expect(read('first\n', false)).rejects.toThrow('--credential two: standard input has ended');
  });

  test('are asked for on a terminal, and not shown there', async () => {
    const { secrets, shown } = await read('first\nsecond\n', true);
    expect([secrets, shown]).toEqual([{ one: 'first', two: 'second' }, 'one: \ntwo: \n']);
  });
});

test('settings are pairs, and their values may have any sign', () => {
  expect(readPairs('--setting', ['api_base=https://x.test/?a=b', 'raw_cards='])).toEqual({
    api_base: 'https://x.test/?a=b',
    raw_cards: '',
  });
  expect(() => readPairs('--setting', ['raw_cards'])).toThrow('--setting takes a name and a value');
});
