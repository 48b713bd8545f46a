import { Modal } from '@mantine/core';
import type { AuditEntry } from '@tollgate/node';
import { type ReactNode, useState } from 'react';
import { IdLink } from '../../kit/id_link.tsx';
import { Json } from '../../kit/json.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Status } from '../../kit/status.tsx';
import style from './audit_log.module.css';
import { actionWords } from './words.ts';

/** What was done, and everything about it behind a click. */
export function EntryButton({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={style.action} onClick={() => setOpen(true)} title={entry.action}>
        {actionWords(entry)}
      </button>
      {entry.refused && <Status status="refused" tone="bad" />}
      {isOpen && <EntryDialog entry={entry} onClose={() => setOpen(false)} />}
    </>
  );
}

function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  const { action, actor, user, subject, address, request, created, details } = entry;
  const facts: [string, ReactNode][] = [
    ['Action', <code key="action">{action}</code>],
    ['Who', actor],
    ['User', user && <IdLink id={user} />],
    ['Object', subject && <IdLink id={subject} canCopy />],
    ['From', address ?? 'The command line of the operator'],
    ['Request', request && <IdLink id={request} canCopy />],
    ['When', <Moment key="created" seconds={created} />],
  ];
  return (
    <Modal opened onClose={onClose} centered title={actionWords(entry)} closeButtonProps={{ 'aria-label': 'Close' }}>
      <dl className={style.facts}>
        {facts
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {Object.keys(details).length > 0 && (
        <div className={style.details}>
          <Json value={details} />
        </div>
      )}
    </Modal>
  );
}
