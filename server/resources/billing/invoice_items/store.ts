import { discard, insert, remove, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { KeyedRead, Reads, Tenant } from '../../../base/reads.ts';
import type { InvoiceItem } from './invoice_item.ts';

export const invoiceItemsTable: Table<InvoiceItem> = table('invoice_items', {
  int4: 'tenant version',
  text: 'id customer currency description subscription invoice',
  int8: 'amount',
  timestamptz: 'created',
});

const columns = invoiceItemsTable.columns.join(', ');

/** The items that an invoice takes: items of one currency, or of all; of this subscription, and of none. */
export type ItemsWanted = Pick<InvoiceItem, 'customer' | 'subscription'> & { currency: string | undefined };

export function findItemsForInvoice(
  reads: Reads,
  tenant: Tenant,
  { customer, currency, subscription }: ItemsWanted,
  max: number,
): Promise<InvoiceItem[]> {
  return reads.rows<InvoiceItem>(
    `select ${columns} from invoice_items
      where tenant = $1 and customer = $2 and invoice is null and currency = coalesce($3, currency)
        and (subscription is null or subscription = $4)
      order by id limit $5`,
    [tenant, customer, currency ?? null, subscription, max],
  );
}

/** The customers that have items which wait. Most have none when they are billed. */
const customersWithItems: KeyedRead = {
  name: 'customers_with_items',
  keys: ['customer'],
  text: `select x.tenant, x.customer from unnest($1::int4[], $2::text[]) as x (tenant, customer)
          where exists (select from invoice_items i
                         where i.tenant = x.tenant and i.customer = x.customer and i.invoice is null)`,
};

export async function hasWaitingItems(reads: Reads, tenant: Tenant, customer: string): Promise<boolean> {
  return (await reads.keyed(customersWithItems, tenant, customer)) !== undefined;
}

/** All items of a customer that wait, whatever they wait for. */
export function findWaitingItemsOf(
  reads: Reads,
  tenant: Tenant,
  customer: string,
  max: number,
): Promise<InvoiceItem[]> {
  return reads.rows<InvoiceItem>(
    `select ${columns} from invoice_items where tenant = $1 and customer = $2 and invoice is null order by id limit $3`,
    [tenant, customer, max],
  );
}

export const addInvoiceItem = (item: InvoiceItem): Write => insert(invoiceItemsTable, item);
export const replaceInvoiceItem = (item: InvoiceItem): Write => update(invoiceItemsTable, item);
export const removeInvoiceItem = (item: InvoiceItem): Write => remove(invoiceItemsTable, item);
export const discardInvoiceItem = (tenant: Tenant, id: InvoiceItem['id']): Write =>
  discard(invoiceItemsTable, { tenant, id });
