import { TokenPages } from '../../../base/token_pages.ts';

/** The pages of payment links. */
export const linkPages = new TokenPages('/l/', 'payment_link', 'plink');
