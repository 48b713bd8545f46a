import type { Mail } from '@tollgate/node';
import { createdColumn, idColumn } from '../kit/columns.tsx';
import type { Column } from '../kit/list_table.tsx';
import { usePolling } from '../kit/poll.ts';
import { useRead } from '../kit/read.ts';
import { RelatedList } from '../kit/related_list.tsx';
import { RowLink } from '../kit/row_link.tsx';
import { Status } from '../kit/status.tsx';
import { useWorkspace } from '../session/workspace.tsx';
import { kindName, outcomeOf } from './mail_words.ts';

export const mailColumns: readonly Column<Mail>[] = [
  { id: 'kind', title: 'Mail', room: 10, cell: ({ id, kind }) => <RowLink id={id}>{kindName(kind)}</RowLink> },
  { id: 'status', title: 'Status', room: 7, cell: ({ status }) => <Status status={status} /> },
  {
    id: 'to',
    title: 'To',
    isText: true,
    room: 14,
    isBelow: true,
    cell: ({ to = 'Erased' }) => <span dir="auto">{to}</span>,
  },
  { id: 'why', title: 'Why', isText: true, isWideOnly: true, cell: (mail) => outcomeOf(mail) },
  {
    id: 'subject',
    title: 'Subject',
    isText: true,
    isWideOnly: true,
    isHidden: true,
    cell: ({ subject }) => <span dir="auto">{subject}</span>,
  },
  idColumn,
  createdColumn,
];

const newest = 10;
const readAgainMs = 2_000;

type MailsProps = { of: { customer: string } | { invoice: string } | { payment: string } };

/** The mails about an object, for those who may read mails. */
export function MailsOf({ of }: MailsProps) {
  return useWorkspace().may('mails.list') ? <Mails of={of} /> : null;
}

function Mails({ of }: MailsProps) {
  const reading = useRead(['mails', of], (api, options) => api.mails.list({ ...of, limit: newest }, options));
  const mails = reading.data?.data;
  usePollingOf(mails, reading.refetch);
  // Most are sent, and nothing more is to be said about them.
  const hasReasons = mails?.some((mail) => outcomeOf(mail) !== undefined) ?? false;
  return (
    <RelatedList
      title="Mails"
      reading={reading}
      columns={mailColumns.filter(({ id }) => id !== 'why' || hasReasons)}
      all={{ path: '/mails', search: of }}
      empty="No mails."
    />
  );
}

/** A mail is sent a moment after its cause, and no event says so. One that waits for long is not waited for here. */
export function usePollingOf(mails: readonly Mail[] | undefined, refetch: () => unknown): void {
  const isNew = mails?.some(({ status, failure }) => status === 'queued' && failure === undefined) ?? false;
  usePolling(isNew, refetch, readAgainMs);
}
