import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fontPath, lookFile, lookText, versionOf } from '../../../base/look/look.ts';
import type { Page } from '../../../base/page.ts';
import { docsFolder } from './guides.ts';
import { once } from './once.ts';

const own = (name: string) => readFileSync(join(import.meta.dirname, 'assets', name));

type ServedFile = {
  /** Where a page loads the file from. The address changes with the content, so that a browser can keep the file. */
  address(): string;
  page: Page;
};

/** By browsers alone: the headers of an answer are for one request. */
const keptForever = 'private, max-age=31536000, immutable';

/**
 * A file that pages load. A reader asks for it with every page, so it does not count against the rate limit of an address, and leaves no
 * line in the log. It is read when it is first asked for.
 */
function servedFile(path: string, contentType: string, readBytes: () => Buffer): ServedFile {
  const read = once(() => {
    const bytes = readBytes();
    return { contentType, body: '', bytes, query: versionOf(bytes) };
  });
  const render: Page['render'] = (request) => {
    const { query, ...content } = read();
    return { status: 200, ...content, ...(request.query === query && { cacheControl: keptForever }) };
  };
  return { address: () => `${path}?${read().query}`, page: { path, counted: false, logged: 'refused', render } };
}

const asset = (name: string, contentType: string, readBytes: () => Buffer) =>
  servedFile(`/docs/assets/${name}`, contentType, readBytes);

const assets = {
  'icon.svg': asset('icon.svg', 'image/svg+xml', () => lookFile('icon.svg')),
  'inter.woff2': servedFile(fontPath, 'font/woff2', () => lookFile('inter.woff2')),
  'script.js': asset('script.js', 'text/javascript; charset=utf-8', () => own('script.js')),
  'style.css': asset('style.css', 'text/css; charset=utf-8', () => Buffer.from(`${lookText()}${own('style.css')}`)),
};

/** The images of the guides, by their names. What is not there when the server starts is not served. */
const images = once(() => {
  const folder = join(docsFolder, 'images');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^[\w-]+\.png$/.test(name)) : [];
  const image = (name: string) =>
    servedFile(`/docs/images/${name}`, 'image/png', () => readFileSync(join(folder, name)));
  return new Map(names.map((name) => [name, image(name)]));
});

export function assetAddress(name: keyof typeof assets): string {
  return assets[name].address();
}

/** The address of an image that a guide names as `images/…`; undefined for one that is not served. */
export function imageAddress(href: string): string | undefined {
  return href.startsWith('images/') ? images().get(href.slice('images/'.length))?.address() : undefined;
}

export function assetPages(): Page[] {
  return [...Object.values(assets), ...images().values()].map(({ page }) => page);
}
