import type { Id } from '../../../base/id.ts';
import { TokenPages } from '../../../base/token_pages.ts';

/** What a cardholder comes back from: a payment, or a setup. */
export type ReturnedId = Id<'py'> | Id<'set'>;

/** The pages that cardholders come back to. From there they go on to the merchant's `return_url`. */
export const returnPages = new TokenPages('/return/', 'return', 'py', 'set');
