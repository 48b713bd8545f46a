import type { AuditEntry } from '@tollgate/node';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { useTitle } from '../../kit/title.ts';
import { personFilter } from '../../nouns/sender_filters.tsx';
import { auditColumns } from './columns.tsx';

const entries: ListDescriptor<AuditEntry> = {
  name: 'audit_log',
  title: 'Audit log',
  icon: 'audit',
  columns: auditColumns,
  filters: [
    personFilter,
    { kind: 'text', name: 'action', title: 'Action', placeholder: 'user.role_changed' },
    { kind: 'text', name: 'subject', title: 'Object', placeholder: 'key_…' },
    { kind: 'choice', name: 'outcome', title: 'Outcome', choices: ['done', 'refused'] },
    { kind: 'days', name: 'created', title: 'When' },
  ],
  load: (api, { outcome, ...params }, options) => api.auditLog.list({ ...params, ...refusedOf(outcome) }, options),
  empty: () => ({ title: 'Nothing yet', text: 'Changes that people make in this account appear here.' }),
};

function refusedOf(outcome: unknown): { refused?: boolean } {
  return outcome === undefined ? {} : { refused: outcome === 'refused' };
}

/** Who did what, from where and when. */
export function Page() {
  useTitle('Audit log');
  return <ListPage list={entries} />;
}
