import { type Id, newId } from '../../../base/id.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { createdBy } from '../../payments/test_clocks/time.ts';
import type { InvoiceItem } from '../invoice_items/invoice_item.ts';
import { checkItemAmount } from '../invoice_items/operations.ts';
import { requirePrice } from '../prices/operations.ts';
import type { Price } from '../prices/price.ts';
import { apiError } from './errors.ts';
import type { NewItemInput } from './schema.ts';

/** What is known of a new item before the currency of the invoice is. */
type ReadItem = { param: string; amount: number; description: string; currency: string | undefined };

/** Refuses what needs no database: each item has an amount and a description, or a price. */
export function checkNewItems(items: readonly NewItemInput[]): void {
  for (const [at, { amount, price, quantity, description }] of items.entries()) {
    const param = (name: string) => `items.${at}.${name}`;
    if (amount !== undefined && price !== undefined)
      throw apiError('parameters_exclusive', { param: param('price'), other: param('amount') });
    if (price !== undefined) continue;
    if (amount === undefined) throw apiError('parameter_missing', { param: param('amount') });
    if (quantity !== undefined)
      throw apiError('parameter_invalid', { param: param('quantity'), reason: 'it goes with a price only' });
    if (description === undefined) throw apiError('parameter_missing', { param: param('description') });
    checkItemAmount(amount, param('amount'));
  }
}

export async function readNewItems(context: Context, items: readonly NewItemInput[]): Promise<ReadItem[]> {
  return Promise.all(
    items.map(async ({ amount, price: id, quantity = 1, description }, at) => {
      const param = `items.${at}`;
      if (id === undefined) return { param, amount: amount!, description: description!, currency: undefined };
      const price = await requirePrice(context, id, `${param}.price`);
      if (!price.active)
        throw apiError('parameter_invalid', { param: `${param}.price`, reason: `the price ${price.id} is not active` });
      const charged = price.unit_amount * quantity;
      checkItemAmount(charged, `${param}.${quantity === 1 ? 'price' : 'quantity'}`);
      return {
        param,
        amount: charged,
        description: description ?? productOf(price, quantity),
        currency: price.currency,
      };
    }),
  );
}

const productOf = ({ product_name }: Price, quantity: number) =>
  quantity === 1 ? product_name : `${quantity} × ${product_name}`;

/** The currency of an invoice: the one that is named, or that of the items, which must have one. */
export function currencyFor(
  waiting: readonly Pick<InvoiceItem, 'currency'>[],
  added: readonly ReadItem[],
  wanted: string | undefined,
): string {
  const priced = added.find((item) => item.currency !== undefined);
  const currency = wanted ?? priced?.currency ?? waiting[0]?.currency;
  if (currency === undefined && added.length > 0) throw apiError('parameter_missing', { param: 'currency' });
  if (currency === undefined || waiting.length + added.length === 0) {
    const inWanted = wanted === undefined ? '' : ` in ${wanted}`;
    const reason = `no invoice item of this customer${inWanted} waits; send items, or create one first`;
    throw apiError('parameter_invalid', { param: wanted === undefined ? 'customer' : 'currency', reason });
  }
  for (const { param, currency: own } of added)
    if (own !== undefined && own !== currency)
      throw apiError('parameter_invalid', {
        param: `${param}.price`,
        reason: `it is in ${own}, and the invoice is in ${currency}`,
      });
  const other = waiting.find((item) => item.currency !== currency);
  if (other === undefined) return currency;
  const reason = `items wait in ${currency} and in ${other.currency}; name one`;
  throw apiError('parameter_invalid', { param: 'currency', reason });
}

/** The rows of new items, which their invoice has from the start. */
export function newItems(
  { tenant, now }: Context,
  items: readonly ReadItem[],
  invoice: { id: Id<'in'>; customer: Customer; currency: string; clockNow: number },
): (InvoiceItem & { invoice: Id<'in'> })[] {
  const { id, customer, currency, clockNow } = invoice;
  return items.map(({ amount, description }) => ({
    tenant,
    id: newId('ii', now),
    version: 1,
    customer: customer.id,
    amount,
    currency,
    description,
    subscription: null,
    invoice: id,
    created: createdBy(customer.test_clock, clockNow).created_at,
  }));
}
