import { Button, Group } from '@mantine/core';
import type { Reconciliation, ReconciliationDifference } from '@tollgate/node';
import { useDialog } from '../../kit/action_dialog.tsx';
import { DetailPage, type Fact, momentFact, Section } from '../../kit/detail_page.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { SectionList } from '../../kit/section_list.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import { PaymentName } from '../../nouns/names.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { acceptDifference, followUpDifference } from './actions.tsx';
import style from './reconciliations.module.css';
import { differenceWords, shownDate, storyOf } from './words.ts';

export function Detail({ id }: { id: string }) {
  const reading = useRead<Reconciliation>(['reconciliations', id], (api, options) =>
    api.reconciliations.retrieve(id, options),
  );
  return (
    <DetailPage<Reconciliation>
      reading={reading}
      list={{ path: '/reconciliations', title: 'Reconciliation' }}
      id={id}
      headline={({ date }) => shownDate(date)}
      status={({ status }) => <Status status={status} />}
      story={storyOf}
      notice={(day) => <Situation day={day} />}
      facts={factsOf}
    >
      {(day) => (
        <>
          <Differences day={day} />
          <Statement day={day} />
        </>
      )}
    </DetailPage>
  );
}

function factsOf(day: Reconciliation): Fact[] {
  const { processor_account: account, connector, matched, matched_on_another_day: late, compared_at } = day;
  return [
    ['Processor', account ? <NamedId key="processor" id={account} /> : wordsOf(connector)],
    ['Connector', account && wordsOf(connector)],
    ['Matched', `${matched}${late === 0 ? '' : `, ${late} on another day`}`],
    momentFact('Compared', compared_at),
  ];
}

/** Who can decide, and what else helps. */
function Situation({ day }: { day: Reconciliation }) {
  const { may, whoMay } = useWorkspace();
  if (day.open_differences === 0) return null;
  const help = may('reconciliation_differences.accept')
    ? 'Accept what is explained, and follow up the rest.'
    : `${whoMay('reconciliation_differences.accept')} can accept and follow up differences.`;
  return (
    <Notice tone="waiting" title="The ledger and the statement differ">
      Compare each line with the statement of the processor. {help} What is put right is gone when the operator compares
      the day again.
    </Notice>
  );
}

/** Of the section: a row that moves to another column, because the window has become narrow, would close its dialog. */
type Open = ReturnType<typeof useDialog>['open'];

const money = (side: ReconciliationDifference['ledger']) =>
  side === undefined ? 'No line' : formatMoney(side.amount, side.currency);

const differenceColumns = (open: Open): readonly Column<ReconciliationDifference>[] => [
  { id: 'what', title: 'Difference', isText: true, room: 14, cell: (difference) => <What difference={difference} /> },
  { id: 'ledger', title: 'Ledger', align: 'right', room: 10, isWideOnly: true, cell: ({ ledger }) => money(ledger) },
  {
    id: 'processor',
    title: 'Processor',
    align: 'right',
    room: 10,
    isWideOnly: true,
    cell: ({ processor }) => money(processor),
  },
  {
    id: 'decide',
    title: 'Decide',
    hideTitle: true,
    room: 13,
    isBelow: true,
    cell: (one) => <Decide difference={one} open={open} />,
  },
];

/** What differs, of which payment, and what was decided. */
function What({ difference }: { difference: ReconciliationDifference }) {
  const { what, kind, reference, payment, expanded, booked, processor, ledger, status } = difference;
  const { currency = '' } = processor ?? ledger ?? {};
  return (
    <div className={style.what}>
      <span className={style.title}>
        {differenceWords[what]} <Status status={status} />
      </span>
      <span className={`quiet ${style.named}`}>
        {wordsOf(kind)}{' '}
        {payment === undefined ? <code>{reference}</code> : <PaymentName id={payment} payment={expanded?.payment} />}
      </span>
      <span className={style.noLedgerColumn}>Ledger: {money(ledger)}</span>
      <span className={style.noProcessorColumn}>Processor: {money(processor)}</span>
      {booked && (
        <span className="quiet">
          {`Booked: ${formatMoney(booked.gross, currency)} less ${formatMoney(booked.fee, currency)} = ${formatMoney(booked.net, currency)}`}
        </span>
      )}
      <Decided difference={difference} />
    </div>
  );
}

function Decided({ difference: { status, note, changed_by, changed_at } }: { difference: ReconciliationDifference }) {
  if (changed_by === undefined || changed_at === undefined) return null;
  return (
    <span className="quiet">
      {status === 'accepted' ? 'Accepted by' : 'Followed up by'} {changed_by.name}, <Moment seconds={changed_at} />
      {note !== undefined && <q className="as-typed">{note}</q>}
    </span>
  );
}

/** The buttons of a row: those that the API would refuse are not shown. */
function Decide({ difference, open }: { difference: ReconciliationDifference; open: Open }) {
  const { may } = useWorkspace();
  if (!may('reconciliation_differences.accept')) return null;
  const isAccepted = difference.status === 'accepted';
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end" className={style.actions}>
      <Button size="compact-xs" variant="default" onClick={() => open(followUpDifference(difference))}>
        {isAccepted ? 'Reopen' : 'Follow up'}
      </Button>
      {!isAccepted && (
        <Button size="compact-xs" onClick={() => open(acceptDifference(difference))}>
          Accept
        </Button>
      )}
    </Group>
  );
}

function Differences({ day: { id, differences, compared_at } }: { day: Reconciliation }) {
  const { dialog, open } = useDialog();
  if (differences === 0) return <Section title="Differences" none="None: the books agree." />;
  return (
    <>
      <SectionList<ReconciliationDifference>
        title="Differences"
        name={['reconciliation_differences', 'of', id, compared_at]}
        columns={differenceColumns(open)}
        load={(api, params, options) =>
          api.reconciliationDifferences.list({ ...params, reconciliation: id, expand: ['payment'] }, options)
        }
        empty={<p className="quiet">None is stored.</p>}
      />
      {dialog}
    </>
  );
}

type TotalsRow = Reconciliation['totals'][number] & { id: string };

const totalsColumns: readonly Column<TotalsRow>[] = [
  { id: 'currency', title: 'Currency', cell: ({ currency }) => currency.toUpperCase() },
  {
    id: 'fees',
    title: 'Fees',
    align: 'right',
    isBelow: 'titled',
    cell: ({ fees, currency }) => formatMoney(fees, currency),
  },
  {
    id: 'net',
    title: 'Net',
    align: 'right',
    isBelow: 'titled',
    cell: ({ net, currency }) => formatMoney(net, currency),
  },
  {
    id: 'paid_out',
    title: 'Paid out',
    align: 'right',
    cell: ({ paid_out, currency }) => formatMoney(paid_out, currency),
  },
];

/** Fees and payouts, which only the processor knows. */
function Statement({ day: { totals } }: { day: Reconciliation }) {
  const isNone = totals.length === 0;
  return (
    <Section title="As the statement says" isFlush none={isNone && 'The statement has no fees and no payouts.'}>
      <ListTable columns={totalsColumns} items={totals.map((one) => ({ ...one, id: one.currency }))} />
    </Section>
  );
}
