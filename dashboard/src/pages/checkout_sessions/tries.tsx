import type { Tollgate } from '@tollgate/node';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { Status } from '../../kit/status.tsx';
import { shownStatus } from '../../nouns/payment_columns.tsx';
import { methodWords } from '../../nouns/payment_method_words.ts';
import { amountTried, newestFirst, type Try, whyFailed } from './tried.ts';

const columns: readonly Column<Try>[] = [
  { id: 'amount', title: 'Amount', cell: (one) => <RowLink id={one.id}>{amountTried(one)}</RowLink> },
  {
    id: 'status',
    title: 'Status',
    room: 9,
    cell: (one) => <Status {...(one.object === 'payment' ? shownStatus(one) : { status: one.status })} />,
  },
  { id: 'failure', title: 'Why it failed', isText: true, isBelow: true, cell: whyFailed },
  {
    id: 'card',
    title: 'Payment method',
    room: 11,
    isWideOnly: true,
    cell: ({ expanded }) => expanded?.payment_method && methodWords(expanded.payment_method),
  },
  idColumn,
  createdColumn,
];

const rowsMax = 100;

/** Both: a coupon can leave nothing due after a payment was declined, and the next try is a setup. */
async function listTries(api: Tollgate, session: string, options: { signal: AbortSignal }): Promise<{ data: Try[] }> {
  const params = { checkout_session: session, limit: rowsMax, expand: ['payment_method' as const] };
  const [payments, setups] = await Promise.all([api.payments.list(params, options), api.setups.list(params, options)]);
  return { data: newestFirst([...payments.data, ...setups.data]) };
}

/** Nothing where nobody has pressed the button yet. */
export function Tries({ session }: { session: string }) {
  const reading = useRead(['checkout_sessions', session, 'tries'], (api, options) => listTries(api, session, options));
  if (reading.error === null && !reading.data?.data.length) return null;
  return <RelatedList title="Tries" reading={reading} columns={columns} empty="None yet." />;
}
