import { card } from '../../../resources/payments/payment_methods/card/index.ts';
import { vouchers } from './index.ts';

/** `payment_methods/kinds.ts` with the one line of the new kind. */
export const kinds = [card, vouchers];
