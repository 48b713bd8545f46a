import type { Mode } from '../../../base/reads.ts';
import { TokenPages } from '../../../base/token_pages.ts';

/** The pages behind links, with the button that signs in. */
export const portalLinks = new TokenPages('/portal/link/', 'portal', 'ps');

export const portalPath = '/portal/';

/** Where the pages of the portal of an account begin, in one mode. */
export function portalBase(account: string, mode: Mode): string {
  return `${portalPath}${mode === 'test' ? 'test/' : ''}${account}`;
}
