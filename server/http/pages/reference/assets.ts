import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../../base/page.ts';
import { once } from './once.ts';

const types: Record<string, string> = {
  'style.css': 'text/css; charset=utf-8',
  'script.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/**
 * The files that pages load. A reader asks for them with every page, so they do not count against the rate limit of an address, and
 * leave no line in the log.
 */
export function assetPages(): Page[] {
  return Object.entries(types).map(([name, contentType]) => {
    const read = once(() => readFileSync(join(import.meta.dirname, 'assets', name), 'utf8'));
    return {
      path: `/docs/assets/${name}`,
      counted: false,
      logged: 'refused',
      render: () => ({ status: 200, contentType, body: read() }),
    };
  });
}
