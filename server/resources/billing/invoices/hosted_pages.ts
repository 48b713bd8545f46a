import { TokenPages } from '../../../base/token_pages.ts';

/** The pages of invoices. Their addresses never expire. */
export const hostedPages = new TokenPages('/i/', 'invoice', 'in');
