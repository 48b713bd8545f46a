import { assert } from '../../../base/errors.ts';
import type { Context } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import { findCustomerById } from '../../payments/customers/operations.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import type { Bill, InvoiceOwner } from './bill.ts';
import type { Invoice, InvoiceId } from './invoice.ts';
import { invoicesTable } from './store.ts';

export type BillReader = Reader & Pick<Services, 'dunningOf'>;

/** What subscriptions answer about the invoices that belong to them. */
export type Ownership = {
  ownerOf(reader: Reader, invoice: Invoice): Promise<InvoiceOwner | undefined>;
  /** The method that a subscription is charged with; undefined: the customer's default. */
  methodOf(reader: Reader, invoice: Invoice): Promise<string | undefined>;
};

export const ownership = extensionPoint<Ownership>('invoices');

/** What the operations and jobs of invoices work with. */
export type Room = {
  payments: PaymentTopic;
  /** A stored invoice, with everything that changes with it. */
  readBill(reader: BillReader, id: InvoiceId): Promise<Bill>;
  billOf(reader: BillReader, invoice: Invoice): Promise<Bill>;
  /** The method by which an invoice is collected: its subscription's, or the customer's default. */
  methodOf(context: Context, invoice: Invoice): Promise<string | undefined>;
};

/** A stored invoice with its subscription and its customer. */
export async function readBillOf(reader: BillReader, [owner]: readonly Ownership[], invoice: Invoice): Promise<Bill> {
  const [owned, customer, dunning] = await Promise.all([
    invoice.subscription === null ? undefined : owner?.ownerOf(reader, invoice),
    findCustomerById(reader, invoice.customer),
    reader.dunningOf(reader.tenant),
  ]);
  return { invoice, owner: owned, customer, holds: false, dunning, writes: [], events: [] };
}

export function roomOf(payments: PaymentTopic, owners: readonly Ownership[]): Room {
  return {
    payments,
    billOf: (reader, invoice) => readBillOf(reader, owners, invoice),
    async readBill(reader, id) {
      const invoice = await reader.reads.one(invoicesTable, reader.tenant, id);
      assert(invoice, `the invoice ${id} of a payment does not exist`);
      return readBillOf(reader, owners, invoice);
    },
    async methodOf(context, invoice) {
      const own = invoice.subscription === null ? undefined : await owners[0]?.methodOf(context, invoice);
      if (own !== undefined) return own;
      return (await findCustomerById(context, invoice.customer))?.default_payment_method ?? undefined;
    },
  };
}
