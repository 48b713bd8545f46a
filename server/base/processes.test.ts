import { describe, expect, test } from 'vitest';
import { findProcess } from './processes.ts';

describe.runIf(process.platform === 'linux')('a process', () => {
  test('is found with its parent and its command line', async () => {
    const { pid, ppid: parent } = process;
    expect(await findProcess(pid)).toMatchObject({ pid, parent, command: expect.stringContaining('node') });
  });

  const unreadable = (code: string) => findProcess(1, () => Promise.reject(Object.assign(new Error(code), { code })));

  test.each(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])('is none if its files cannot be read for %s', async (code) => {
    expect(await unreadable(code)).toBeUndefined();
  });

  test.each(['EMFILE', 'ENFILE', 'EIO'])('is in doubt if its files cannot be read for %s', async (code) => {
    await expect(unreadable(code)).rejects.toThrow(code);
  });
});
