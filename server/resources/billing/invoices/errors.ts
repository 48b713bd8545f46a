import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const invoiceErrors = {
  invoice_not_updatable: invalid(
    'This invoice cannot be {verb}: {reason}.',
    'A draft is finalized; an open invoice is voided or given up; an uncollectible one can still be voided. While a payment of it has no outcome, nothing else can be done.',
  ),
  invoice_not_payable: invalid(
    'This invoice cannot be paid: {reason}.',
    'An open invoice, and one that was marked as uncollectible, can be paid. While a payment of it has no outcome, wait for it, or cancel it.',
  ),
  invoice_not_finalized: invalid(
    'This invoice is a draft, and has no document yet.',
    'A document has the number of its invoice, which a draft does not have. Finalize it first.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...invoiceErrors });
