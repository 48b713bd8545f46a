import type { Coupon } from '@tollgate/node';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { discountWords, durationWords } from '../../nouns/price_words.ts';
import { createCoupon } from './create.tsx';

export const Page = listPage<Coupon>({
  name: 'coupons',
  title: 'Coupons',
  icon: 'coupons',
  columns: [
    { id: 'discount', title: 'Discount', cell: (coupon) => <RowLink id={coupon.id}>{discountWords(coupon)}</RowLink> },
    { id: 'duration', title: 'Duration', cell: (coupon) => wordsOf(durationWords(coupon)) },
    { id: 'name', title: 'Name', isText: true, isBelow: true, cell: ({ name }) => name },
    { id: 'code', title: 'Code', cell: ({ code }) => code },
    idColumn,
    createdColumn,
  ],
  filters: [wordsFilter('coupon'), createdFilter],
  load: (api, params, options) => api.coupons.list(params, options),
  csv: { operation: 'coupons.list', read: (api, params) => api.coupons.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'coupons',
      here: 'A coupon discounts a subscription’s invoices, or a checkout. Create one with the button above.',
      event: 'coupon.created',
      path: '/v1/coupons',
      parameters: { percent_off: 20, duration: 'once', name: 'Welcome', code: 'WELCOME20' },
    }),
  actions: <CreateButton title="Create coupon" calls="coupons.create" dialog={createCoupon} />,
});
