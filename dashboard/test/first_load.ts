import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isTorture } from '../../server/test/torture.ts';
import { compressedSize, type Fixture, heading, isAsset, loaded } from './fixture.ts';

/** How much a browser that has kept nothing loads until a page is there. */

/** Compressed. */
export const firstLoadBytesMax = 320_000;
const filesMax = 15;

// By its address: the program that checks these types knows no JSX.
const { pages } = (await import(new URL('../src/pages/index.ts', import.meta.url).href)) as {
  pages: readonly { path: string; title: string }[];
};
/** Under torture, every page of the navigation. */
const opened = pages.filter(({ path }) => isTorture || path === '' || path === 'payments');

/** What the build says that each page needs, lists and objects: the files of `index.html`, and those of its import. */
function needs(built: string): Map<string, Set<string>> {
  const frame = readFileSync(join(built, 'index.html'), 'utf8').match(/assets\/[\w.-]+/g)!;
  const name = readdirSync(join(built, 'assets')).find((one) => /^index-[\w-]+\.js$/.test(one))!;
  const script = readFileSync(join(built, 'assets', name), 'utf8');
  const files = JSON.parse(/__vite__mapDeps=.*?(\["assets\/.*?\])/.exec(script)![1]!) as string[];
  const imports = script.matchAll(
    /\b(?:page|detail):\(\)=>\w+\(\(\)=>import\(`\.\/([\w-]+)-[\w-]{8}\.js`\)[^[]*?__vite__mapDeps\(\[([\d,]+)\]\)/g,
  );
  return new Map(
    Array.from(imports, ([, chunk, numbers]) => [
      chunk!,
      new Set([...frame, ...numbers!.split(',').map((number) => files[Number(number)]!)]),
    ]),
  );
}

/** Declares the tests. */
export function firstLoad(dashboard: Fixture): void {
  describe.each(opened)('$title, opened first', ({ path, title }) => {
    test('loads at most 320,000 bytes, in a few files, all of them from the gateway', async () => {
      const tab = await dashboard.openAs(dashboard.owner);
      const asked: string[] = [];
      tab.on('request', (request) => asked.push(request.url()));
      await tab.goto(`${dashboard.place}/${path}`);
      await heading(tab, title).waitFor();
      await loaded(tab);
      expect(await tab.locator('#shell').count()).toBe(0);
      expect(asked.filter((url) => !url.startsWith(dashboard.server.baseUrl))).toEqual([]);
      const files = asked.filter(isAsset);
      expect(files.length).toBeGreaterThan(5);
      expect(files.length, files.join('\n')).toBeLessThanOrEqual(filesMax);
      expect(compressedSize(dashboard.built, asked)).toBeLessThanOrEqual(firstLoadBytesMax);
    });
  });

  test('no page needs more, nor does that of an object', () => {
    const sizes = Array.from(needs(dashboard.built), ([chunk, files]) => {
      const asked = Array.from(files, (file) => `/dashboard/${file}`);
      return [chunk, compressedSize(dashboard.built, asked)] as const;
    });
    expect(sizes.length).toBeGreaterThan(20);
    expect(sizes.filter(([, size]) => size > firstLoadBytesMax)).toEqual([]);
  });
}
