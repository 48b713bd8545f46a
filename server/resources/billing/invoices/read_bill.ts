import { assert } from '../../../base/errors.ts';
import type { Services } from '../../../operations/services.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import { findCustomerById } from '../../payments/customers/operations.ts';
import { findSubscription, noChange, type SubscriptionChange } from '../subscription_state/change.ts';
import type { Bill } from './bill.ts';
import { hostedPages } from './hosted_pages.ts';
import type { Invoice, InvoiceId } from './invoice.ts';
import { partiesOf } from './parties.ts';
import { invoicesTable } from './store.ts';

export type BillReader = Reader & Pick<Services, 'dunningOf' | 'sellerOf' | 'keyring' | 'publicUrl'>;

/** A stored invoice with its subscription and its customer. */
export async function readBill(reader: BillReader, invoice: Invoice): Promise<Bill> {
  const [subscription, customer, dunning, seller] = await Promise.all([
    readSubscription(reader, invoice),
    findCustomerById(reader, invoice.customer),
    reader.dunningOf(reader.tenant),
    reader.sellerOf(reader.tenant),
  ]);
  const parties = partiesOf(seller, customer);
  const hostedUrl = hostedPages.urlOf(reader, invoice.id);
  return { invoice, subscription, customer, holdsCustomer: false, dunning, parties, hostedUrl, writes: [], events: [] };
}

async function readSubscription(reader: Reader, invoice: Invoice): Promise<SubscriptionChange | undefined> {
  if (invoice.subscription === null) return undefined;
  const subscription = await findSubscription(reader, invoice.subscription);
  assert(subscription, `the subscription of ${invoice.id} does not exist`);
  return noChange(subscription);
}

export async function readBillById(reader: BillReader, id: InvoiceId): Promise<Bill> {
  const invoice = await reader.reads.one(invoicesTable, reader.tenant, id);
  assert(invoice, `the invoice ${id} of a payment does not exist`);
  return readBill(reader, invoice);
}
