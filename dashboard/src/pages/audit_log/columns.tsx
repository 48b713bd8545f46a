import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@tollgate/node';
import { IdLink } from '../../kit/id_link.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import style from './audit_log.module.css';
import { EntryButton } from './entry.tsx';
import { isCommand } from './words.ts';

export const auditColumns: readonly Column<AuditEntry>[] = [
  { id: 'action', title: 'What', cell: (entry) => <EntryButton entry={entry} /> },
  { id: 'actor', title: 'Who', isWideOnly: true, cell: (entry) => <Actor entry={entry} /> },
  { id: 'subject', title: 'Object', isWideOnly: true, cell: ({ subject }) => subject && <Id id={subject} /> },
  {
    id: 'address',
    title: 'From',
    isWideOnly: true,
    cell: ({ address }) => (
      <span className={style.short} title={address}>
        {address}
      </span>
    ),
  },
  {
    id: 'request',
    title: 'Request',
    isWideOnly: true,
    isHidden: true,
    cell: ({ request }) => request && <Id id={request} />,
  },
  { id: 'created', title: 'When', align: 'right', cell: ({ created }) => <Moment seconds={created} /> },
];

function Id({ id }: { id: string }) {
  return (
    <span className={style.short}>
      <IdLink id={id} />
    </span>
  );
}

/** A user leads to everything that they did. */
function Actor({ entry }: { entry: AuditEntry }) {
  const { actor, user } = entry;
  if (user !== undefined)
    return (
      <Link to={'/settings/audit-log' as string} search={{ user } as never} className={`${style.actor} ${style.short}`}>
        {actor}
      </Link>
    );
  return (
    <>
      {actor} {isCommand(entry) && <span className="quiet">by a command</span>}
    </>
  );
}
