import { Box, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@tollgate/node';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { type Fact, FactList } from '../../kit/fact_list.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Json } from '../../kit/json.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Status } from '../../kit/status.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import style from './audit_log.module.css';
import { actionWords, detailWords, isCommand } from './words.ts';

export const auditColumns: readonly Column<AuditEntry>[] = [
  { id: 'action', title: 'What', cell: (entry) => <EntryButton entry={entry} /> },
  { id: 'actor', title: 'Who', isWideOnly: true, cell: (entry) => <Actor entry={entry} /> },
  { id: 'subject', title: 'Object', isWideOnly: true, cell: ({ subject }) => subject && <Id id={subject} /> },
  {
    id: 'address',
    title: 'From',
    isWideOnly: true,
    cell: ({ address }) => (
      <span className={`truncated ${style.short}`} title={address}>
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
  {
    id: 'created',
    title: 'When',
    align: 'right',
    cell: ({ created }) => <Moment seconds={created} precision="second" />,
  },
];

function Id({ id }: { id: string }) {
  return (
    <span className={`truncated ${style.short}`}>
      <NamedId id={id} />
    </span>
  );
}

/** A user leads to everything that they did. */
function Actor({ entry }: { entry: AuditEntry }) {
  const { actor, user } = entry;
  if (user !== undefined)
    return (
      <Link
        to={'/settings/audit-log' as string}
        search={{ user } as never}
        className={`plain-link truncated ${style.short}`}
      >
        {actor}
      </Link>
    );
  return (
    <>
      {actor} {isCommand(entry) && <span className="quiet">by a command</span>}
    </>
  );
}

/** What was done, with its details below, and everything about it behind a click. On a narrow screen, who did it stands below. */
function EntryButton({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton className={`truncated ${style.action}`} onClick={() => setOpen(true)}>
        {actionWords(entry)}
      </UnstyledButton>
      <Box component="span" visibleFrom="sm">
        {entry.refused && <Status status="refused" tone="bad" />}
        <span className={`truncated ${style.words}`}>{detailWords(entry.details)}</span>
      </Box>
      <Text span inherit truncate hiddenFrom="sm" display="block" c="dimmed">
        {entry.refused && <strong>Refused · </strong>}
        {entry.actor}
      </Text>
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
  return [
    ['Action', <code key="action">{action}</code>],
    ['Outcome', refused ? <Status key="outcome" status="refused" tone="bad" /> : 'Done'],
    ['Who', actor],
    ['User', user && <NamedId id={user} />],
    ['Object', subject && <NamedId id={subject} canCopy />],
    ['From', isCommand(entry) ? 'Operator command' : address],
    ['Request', request && <IdLink id={request} canCopy />],
    ['When', <Moment key="created" seconds={created} precision="second" />],
  ];
}
