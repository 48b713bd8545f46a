import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { PaymentLink } from './payment_link.ts';

type StoredLink = Omit<PaymentLink, 'completed'>;
/** Apart from the link, because a commit cannot change a row twice: a sale and a change of the link may meet in one. */
type LinkCount = Pick<PaymentLink, 'tenant' | 'id' | 'completed'>;

const linksTable: Table<StoredLink> = table('payment_links', {
  int4: 'tenant version sales_limit',
  int8: 'amount',
  text: `id url mode currency description save_payment_method capture_method success_url cancel_url locale
    inactive_message`,
  bool: 'active allow_coupons',
  json: 'line_items collect adjustable_quantity amount_choice subscription_data metadata',
});

export const countsTable: Table<LinkCount> = table('payment_link_counts', { int4: 'tenant completed', text: 'id' });

/** For reading only: links with their sales. */
export const linksView: Table<PaymentLink> = table('payment_links_with_sales', {
  int4: 'tenant version sales_limit completed',
  int8: 'amount',
  text: `id url mode currency description save_payment_method capture_method success_url cancel_url locale
    inactive_message`,
  bool: 'active allow_coupons',
  json: 'line_items collect adjustable_quantity amount_choice subscription_data metadata',
});

export function addPaymentLink({ completed, ...link }: PaymentLink): Write[] {
  return [insert(linksTable, link), insert(countsTable, { tenant: link.tenant, id: link.id, completed })];
}

export const replacePaymentLink = ({ completed: _, ...link }: PaymentLink): Write => update(linksTable, link);
