import type { AuditEntry } from '@tollgate/node';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { Json } from '../../kit/json.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Status } from '../../kit/status.tsx';
import style from './audit_log.module.css';
import { actionWords, detailWords, isCommand } from './words.ts';

/** What was done, with its details below, and everything about it behind a click. On a narrow screen, who did it stands below. */
export function EntryButton({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={style.action} onClick={() => setOpen(true)}>
        {actionWords(entry)}
      </button>
      <span className={style.wide}>
        {entry.refused && <Status status="refused" tone="bad" />}
        <span className={style.words}>{detailWords(entry.details)}</span>
      </span>
      <span className={style.narrow}>
        {entry.refused && <strong>Refused · </strong>}
        {entry.actor}
      </span>
      {isOpen && <EntryDialog entry={entry} onClose={() => setOpen(false)} />}
    </>
  );
}

function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  return (
    <Dialog title={actionWords(entry)} onClose={onClose}>
      <dl className={style.facts}>
        {factsOf(entry)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {Object.keys(entry.details).length > 0 && (
        <div className={style.details}>
          <Json value={entry.details} />
        </div>
      )}
    </Dialog>
  );
}

function factsOf(entry: AuditEntry): [string, ReactNode][] {
  const { action, actor, user, subject, address, request, created, refused } = entry;
  return [
    ['Action', <code key="action">{action}</code>],
    ['Outcome', refused ? <Status key="outcome" status="refused" tone="bad" /> : 'Done'],
    ['Who', actor],
    ['User', user && <IdLink id={user} canCopy />],
    ['Object', subject && <IdLink id={subject} canCopy />],
    ['From', isCommand(entry) ? 'Operator command' : address],
    ['Request', request && <IdLink id={request} canCopy />],
    ['When', <Moment key="created" seconds={created} />],
  ];
}
