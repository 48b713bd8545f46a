import { moneyText } from '../../../base/currency.ts';
import { searchable } from '../../../operations/extension_points/search.ts';
import { invoiceDescriptor } from './descriptor.ts';
import { numberText } from './invoice.ts';
import { findByNumber } from './store.ts';

/** By id, and by number. */
export const searchInvoices = searchable(
  invoiceDescriptor,
  ({ number, amount_due, currency, status }) => ({
    title: number === null ? 'Draft of an invoice' : numberText(number),
    subtitle: `${moneyText({ amount: amount_due, currency })}, ${status}`,
  }),
  findByNumber,
);
