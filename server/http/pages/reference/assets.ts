import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Rendered } from '../../../base/page.ts';
import { docsFolder } from './guides.ts';
import { once } from './once.ts';

const types = {
  'style.css': 'text/css; charset=utf-8',
  'script.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};
type AssetName = keyof typeof types;

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
function servedFile(path: string, file: string, contentOf: (bytes: Buffer) => Omit<Rendered, 'status'>): ServedFile {
  const read = once(() => {
    const bytes = readFileSync(file);
    return { ...contentOf(bytes), query: `v=${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}` };
  });
  const render: Page['render'] = (request) => {
    const { query, ...content } = read();
    return { status: 200, ...content, ...(request.query === query && { cacheControl: keptForever }) };
  };
  return { address: () => `${path}?${read().query}`, page: { path, counted: false, logged: 'refused', render } };
}

const assets = new Map(
  (Object.keys(types) as AssetName[]).map((name) => {
    const file = join(import.meta.dirname, 'assets', name);
    const contentOf = (bytes: Buffer) => ({ contentType: types[name], body: bytes.toString() });
    return [name, servedFile(`/docs/assets/${name}`, file, contentOf)] as const;
  }),
);

/** The images of the guides, by their names. What is not there when the server starts is not served. */
const images = once(() => {
  const folder = join(docsFolder, 'images');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^[\w-]+\.png$/.test(name)) : [];
  const contentOf = (bytes: Buffer) => ({ contentType: 'image/png', body: '', bytes });
  return new Map(names.map((name) => [name, servedFile(`/docs/images/${name}`, join(folder, name), contentOf)]));
});

export function assetAddress(name: AssetName): string {
  return assets.get(name)!.address();
}

/** The address of an image that a guide names as `images/…`; undefined for one that is not served. */
export function imageAddress(href: string): string | undefined {
  return href.startsWith('images/') ? images().get(href.slice('images/'.length))?.address() : undefined;
}

export function assetPages(): Page[] {
  return [...assets.values(), ...images().values()].map(({ page }) => page);
}
