import { UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@tollgate/node';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { type Fact, FactList } from '../../kit/fact_list.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Json } from '../../kit/json.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { pathOfId } from '../../kit/paths.ts';
import { Status } from '../../kit/status.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import style from './audit_log.module.css';
import { actionWords, customerOf, detailWords, isCommand } from './words.ts';

export const auditColumns: readonly Column<AuditEntry>[] = [
  { id: 'action', title: 'What', isText: true, room: 14, cell: (entry) => <EntryButton entry={entry} /> },
  { id: 'actor', title: 'Who', isText: true, isBelow: true, cell: (entry) => <Actor entry={entry} /> },
  {
    id: 'subject',
    title: 'Object',
    room: 10,
    isWideOnly: true,
    cell: ({ subject }) => subject && <NamedId id={subject} />,
  },
  {
    id: 'address',
    title: 'From',
    isWideOnly: true,
    room: 9,
    cell: ({ address }) => <span title={address}>{address}</span>,
  },
  {
    id: 'request',
    title: 'Request',
    isWideOnly: true,
    isHidden: true,
    room: 14,
    cell: ({ request }) => request && <NamedId id={request} />,
  },
  {
    id: 'created',
    title: 'When',
    room: 11,
    align: 'right',
    cell: ({ created }) => <Moment seconds={created} precision="second" />,
  },
];

/** A user leads to everything that they did. */
function Actor({ entry }: { entry: AuditEntry }) {
  const { actor, user } = entry;
  if (user !== undefined)
    return (
      <Link to={'/settings/audit-log' as string} search={{ user } as never} className="plain-link">
        {actor}
      </Link>
    );
  const customer = customerOf(entry);
  if (customer !== undefined)
    return (
      <Link to={pathOfId(customer) as string} className="plain-link">
        {actor}
      </Link>
    );
  return (
    <>
      {actor} {isCommand(entry) && <span className="quiet">by a command</span>}
    </>
  );
}

/** What was done, with its details below, and everything about it behind a click. */
function EntryButton({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton className={`truncated ${style.action}`} onClick={() => setOpen(true)}>
        {actionWords(entry)}
      </UnstyledButton>
      {entry.refused && <Status status="refused" tone="bad" />}
      <span className={`truncated ${style.words}`}>{detailWords(entry.details)}</span>
      {isOpen && <EntryDialog entry={entry} onClose={() => setOpen(false)} />}
    </>
  );
}

function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  return (
    <Dialog title={actionWords(entry)} onClose={onClose}>
      <FactList facts={factsOf(entry)} names="5rem" />
      {Object.keys(entry.details).length > 0 && (
        <div className={style.details}>
          <Json value={entry.details} />
        </div>
      )}
    </Dialog>
  );
}

function factsOf(entry: AuditEntry): Fact[] {
  const { action, actor, user, subject, address, request, created, refused } = entry;
  const customer = customerOf(entry);
  return [
    ['Action', <code key="action">{action}</code>],
    ['Outcome', refused ? <Status key="outcome" status="refused" tone="bad" /> : 'Done'],
    ['Who', actor],
    ['User', user && <NamedId id={user} />],
    ['Customer', customer && <NamedId id={customer} canCopy />],
    ['Object', subject && <NamedId id={subject} canCopy />],
    ['From', isCommand(entry) ? 'Operator command' : address],
    ['Request', request && customer === undefined && <IdLink id={request} canCopy />],
    ['When', <Moment key="created" seconds={created} precision="second" />],
  ];
}
