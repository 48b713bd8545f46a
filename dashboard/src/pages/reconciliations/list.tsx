import type { Reconciliation } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { idColumn } from '../../kit/columns.tsx';
import { type ListDescriptor, listPage } from '../../kit/list_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { Status } from '../../kit/status.tsx';
import { processorFilter } from '../../nouns/object_filters.tsx';
import { reconcileCommand } from '../../nouns/reconcile_command.ts';
import { ProcessorName } from './processor.tsx';
import { paidOut, shownDate } from './words.ts';

/** Of a day with differences, how many nobody has accepted yet. */
function differencesOf({ differences, open_differences }: Reconciliation): string {
  if (differences === 0) return 'None';
  return open_differences === differences ? String(differences) : `${open_differences} of ${differences} open`;
}

const days: ListDescriptor<Reconciliation> = {
  name: 'reconciliations',
  title: 'Reconciliation',
  icon: 'reconciliation',
  columns: [
    { id: 'date', title: 'Day (UTC)', cell: ({ id, date }) => <RowLink id={id}>{shownDate(date)}</RowLink> },
    { id: 'status', title: 'Status', cell: ({ status }) => <Status status={status} /> },
    { id: 'processor', title: 'Processor', isText: true, isBelow: true, cell: (day) => <ProcessorName of={day} /> },
    { id: 'matched', title: 'Matched', align: 'right', isWideOnly: true, cell: ({ matched }) => matched },
    { id: 'differences', title: 'Differences', align: 'right', room: 8, cell: differencesOf },
    {
      id: 'paid_out',
      title: 'Paid out',
      align: 'right',
      room: 12,
      isWideOnly: true,
      cell: (day) => paidOut(day) ?? '–',
    },
    {
      id: 'compared_at',
      title: 'Compared',
      align: 'right',
      room: 9,
      isWideOnly: true,
      cell: ({ compared_at }) => <Moment seconds={compared_at} isRelative />,
    },
    idColumn,
  ],
  filters: [
    { kind: 'choice', name: 'status', title: 'Status', choices: filterChoices['reconciliations.list'].status },
    { kind: 'text', name: 'date', title: 'Day', placeholder: '2027-01-31' },
    processorFilter,
  ],
  load: (api, params, options) => api.reconciliations.list(params, options),
  csv: { operation: 'reconciliations.list', read: (api, params) => api.reconciliations.listCsv(params) },
  empty: (mode) => ({
    title: 'No day has been compared yet',
    text: 'The operator of the gateway compares the ledger with the statement of a processor, once a day:',
    command: reconcileCommand(mode),
  }),
};

export const Page = listPage(days);
