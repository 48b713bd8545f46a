import { resource } from '../../../operations/resource.ts';
import { beginPayingInvoice } from './begin.ts';
import { invoiceCalls } from './calls.ts';
import { documentPage, invoicePage } from './page.ts';

/** The pages of invoices, for the customers who owe them. */
export const invoicePages = resource({
  name: 'invoice_pages',
  operations: [beginPayingInvoice],
  pages(services, declared) {
    const calls = invoiceCalls(services, declared);
    const parts = { ...services, calls };
    return [invoicePage(parts), documentPage('invoice', parts), documentPage('receipt', parts)];
  },
});
