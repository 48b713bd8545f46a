import type { Coupon } from '@tollgate/node';
import { CreateButton } from '../../kit/create_button.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { discountWords, durationWords } from '../../kit/price_words.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { CreateDialog } from './create.tsx';

const coupons: ListDescriptor<Coupon> = {
  name: 'coupons',
  title: 'Coupons',
  icon: 'coupons',
  columns: [
    {
      id: 'discount',
      title: 'Discount',
      cell: (coupon) => <RowLink id={coupon.id}>{discountWords(coupon)}</RowLink>,
    },
    { id: 'duration', title: 'Duration', cell: (coupon) => wordsOf(durationWords(coupon)) },
    { id: 'name', title: 'Name', isWideOnly: true, cell: ({ name }) => name },
    { id: 'id', title: 'Id', isWideOnly: true, cell: ({ id }) => <IdLink id={id} canCopy /> },
    { id: 'created', title: 'Created', align: 'right', cell: ({ created }) => <Moment seconds={created} /> },
  ],
  filters: [{ kind: 'days', name: 'created', title: 'Created' }],
  load: (api, params, options) => api.coupons.list(params, options),
  empty: (mode) => ({
    title: `No ${mode} coupons yet`,
    text: 'A coupon lessens the invoices of a subscription. Make one here, or by the API:',
    command: `curl ${location.origin}/v1/coupons \\\n  -H 'Authorization: Bearer sk_${mode}_tg_…' \\\n  -d percent_off=20 -d duration=once -d name=Welcome`,
  }),
  actions: (
    <CreateButton title="Create coupon" right="change" dialog={(onClose) => <CreateDialog onClose={onClose} />} />
  ),
};

export function CouponsPage() {
  return <ListPage list={coupons} />;
}
