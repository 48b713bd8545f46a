import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const invoiceItemErrors = {
  invoice_item_not_deletable: invalid(
    'This invoice item cannot be deleted: the invoice {invoice} has it.',
    'An item can be deleted while it waits for an invoice. To take back one that was invoiced, void the invoice, or create an item with the opposite amount for the next one.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...invoiceItemErrors });
