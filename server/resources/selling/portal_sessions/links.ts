import { TokenPages } from '../../../base/token_pages.ts';

/** The pages behind links, with the button that signs in. */
export const portalLinks = new TokenPages('/portal/link/', 'portal', 'ps');
