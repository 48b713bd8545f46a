import type { BalanceTransaction, TimelinePosting } from '@tollgate/node';
import { DetailPage, type Fact } from '../../kit/detail_page.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead } from '../../kit/read.ts';
import { RelatedList } from '../../kit/related_list.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { Status, statusInWords, wordsOf } from '../../kit/status.tsx';
import { movesBalance } from '../../nouns/entry_words.ts';
import { PaymentLink } from '../../nouns/names.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['balance_transactions', id], (api, options) => api.balance.retrieveTransaction(id, options));
  return (
    <DetailPage<BalanceTransaction>
      reading={reading}
      list={{ path: '/balance', title: 'Balance' }}
      id={id}
      headline={({ amount, currency }) => formatMoney(amount, currency)}
      status={({ status }) => <Status status={status} />}
      story={(transaction) => <Story transaction={transaction} />}
      facts={factsOf}
    >
      {(transaction) => <Postings transaction={transaction} />}
    </DetailPage>
  );
}

/** Whether it went in or out, and from when on it counts. */
function Story({ transaction: { type, amount, status, available_on } }: { transaction: BalanceTransaction }) {
  const way = amount < 0 ? 'Taken from' : 'Added to';
  return (
    <>
      {`${way} your balance: ${statusInWords(type)}. `}
      {status === 'available' ? (
        'Available.'
      ) : (
        <>
          Available on <Moment seconds={available_on} />.
        </>
      )}
    </>
  );
}

function factsOf({ type, source, payment, created, available_on }: BalanceTransaction): Fact[] {
  return [
    ['Type', wordsOf(type)],
    ['Payment', <PaymentLink key="payment" id={payment} />],
    ['Source', payment === source ? undefined : <IdLink key="source" id={source} />],
    ['Available on', <Moment key="available" seconds={available_on} />],
    ['Created', <Moment key="created" seconds={created} />],
  ];
}

const columns = (shown: string): readonly Column<TimelinePosting>[] => [
  { id: 'amount', title: 'Amount', cell: ({ amount, currency }) => formatMoney(amount, currency) },
  { id: 'kind', title: 'Posting', cell: (posting) => <Kind posting={posting} isThis={posting.id === shown} /> },
  {
    id: 'accounts',
    title: 'From → to',
    isText: true,
    cell: ({ debit, credit }) => `${wordsOf(debit)} → ${wordsOf(credit).toLowerCase()}`,
  },
  {
    id: 'seal',
    title: 'Seal',
    isWideOnly: true,
    cell: ({ sealed, position }) => (sealed ? `Sealed at ${position}` : 'Not sealed yet'),
  },
];

/** Of one that moves the balance, the way to its page. */
function Kind({ posting: { id, kind, debit, credit }, isThis }: { posting: TimelinePosting; isThis: boolean }) {
  const words = `${wordsOf(kind)}${isThis ? ' (this)' : ''}`;
  return movesBalance({ debit, credit }) ? <RowLink id={id}>{words}</RowLink> : words;
}

const entriesMax = 100;

/** Rows lead to the page of their id. A posting beside the balance has none. */
function linkable(posting: TimelinePosting): TimelinePosting {
  return movesBalance(posting) ? posting : { ...posting, id: `beside the balance: ${posting.id}` };
}

/** What the ledger has of the object that has moved the money: the postings that belong together. */
function Postings({ transaction: { id, source } }: { transaction: BalanceTransaction }) {
  const reading = useRead(['timeline', source, 'postings'], async (api, options) => {
    const { data } = await api.timeline.list(source, { limit: entriesMax }, options);
    return { data: data.flatMap(({ posting }) => (posting === undefined ? [] : [linkable(posting)])) };
  });
  return (
    <RelatedList
      title="Postings of the source"
      reading={reading}
      columns={columns(id)}
      empty="The newest entries of the source have no postings."
    />
  );
}
