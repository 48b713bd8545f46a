import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { PageRequest } from '../../../base/page.ts';
import { sdkPages } from './sdk.ts';
import { packageTarball } from './tarball.ts';

/** What npm makes of the package is tried by sdk/test/package.test.ts. */

const logged: object[] = [];
const log = { error: (fields: object, message: string) => void logged.push({ ...fields, message }) };

test('the same files are the same bytes, in whichever order they come', () => {
  const files: [string, Buffer][] = [
    ['b.js', Buffer.from('b')],
    ['a.js', Buffer.alloc(512)],
  ];
  const tarball = packageTarball(new Map(files));
  expect(packageTarball(new Map(files.toReversed())).equals(tarball)).toBe(true);
  const blocks = gunzipSync(tarball);
  expect(blocks.length % 512).toBe(0);
  expect(blocks.subarray(0, 12).toString()).toBe('package/a.js');
  expect(blocks.subarray(1024, 1036).toString()).toBe('package/b.js');
  expect(() => packageTarball(new Map([['a'.repeat(100), Buffer.alloc(0)]]))).toThrow('too long');
});

test('what cannot be built is answered with 404, and is not tried again', async () => {
  let tries = 0;
  const fail = async () => {
    tries += 1;
    throw new Error('no space left on the disk');
  };
  const [page] = sdkPages(log, [{ path: '/sdk/a.tgz', makeTarball: fail }]);
  for (const _ of [1, 2]) expect(await page!.render({} as PageRequest)).toMatchObject({ status: 404 });
  expect([tries, logged]).toEqual([
    1,
    [{ path: '/sdk/a.tgz', error: 'no space left on the disk', message: 'could not build the package of the client' }],
  ]);
  const [missing] = sdkPages(log, [{ path: '/sdk/a.tgz', makeTarball: async () => undefined }]);
  expect((await missing!.render({} as PageRequest)).body).toContain('npm ci --include=dev');
});
