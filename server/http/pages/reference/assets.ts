import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../../base/page.ts';
import { once } from './once.ts';

const types = {
  'style.css': 'text/css; charset=utf-8',
  'script.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};
type AssetName = keyof typeof types;

/** Each file, with the query that names its content. */
const files = new Map(
  (Object.keys(types) as AssetName[]).map((name) => {
    const read = once(() => {
      const body = readFileSync(join(import.meta.dirname, 'assets', name), 'utf8');
      return { body, query: `v=${createHash('sha256').update(body).digest('hex').slice(0, 12)}` };
    });
    return [name, read] as const;
  }),
);

/** Where a page loads a file from. The address changes with the content, so that a browser can keep the file. */
export function assetAddress(name: AssetName): string {
  return `/docs/assets/${name}?${files.get(name)!().query}`;
}

/**
 * The files that pages load. A reader asks for them with every page, so they do not count against the rate limit of an address, and
 * leave no line in the log.
 */
export function assetPages(): Page[] {
  return [...files].map(([name, read]) => ({
    path: `/docs/assets/${name}`,
    counted: false,
    logged: 'refused',
    render: (request) => {
      const { body, query } = read();
      const isKept = request.query === query;
      return { status: 200, contentType: types[name], body, ...(isKept && { cacheControl: keptForever }) };
    },
  }));
}

/** By browsers alone: the headers of an answer are for one request. */
const keptForever = 'private, max-age=31536000, immutable';
