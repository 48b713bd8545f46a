import type { Page, Rendered } from '../../../base/page.ts';
import type { Reads } from '../../../base/reads.ts';
import { logoPath } from './branding.ts';
import { findLogo } from './store.ts';

const nameForm = /^[0-9a-f]{32}\.(?:png|jpg|webp)$/;
const keptForever = 'public, max-age=31536000, immutable';

const missing: Rendered = { status: 404, contentType: 'text/plain; charset=utf-8', body: 'There is no such logo.\n' };

/**
 * Serves logos, also to mail programs and other sites. The name follows from the content, so it is kept for good. A picture cannot do
 * anything; the policy says so also to a browser that would take it for a document.
 */
export function logoPage({ reads }: { reads: Pick<Reads, 'directory'> }): Page {
  return {
    path: logoPath(':name'),
    counted: 'page',
    logged: 'refused',
    async render({ params: { name = '' } }) {
      const logo = nameForm.test(name) ? await findLogo(reads, name) : undefined;
      if (logo === undefined) return missing;
      const headers = {
        'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      };
      return { status: 200, contentType: logo.type, body: '', bytes: logo.bytes, headers, cacheControl: keptForever };
    },
  };
}
