import { TokenPages } from '../../../base/token_pages.ts';

/** The pages that customers pay on. */
export const sessionPages = new TokenPages('/pay/', 'checkout', 'cs');
