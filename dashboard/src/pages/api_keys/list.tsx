import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiKey, IssuedApiKey } from '@tollgate/node';
import { useState } from 'react';
import { useDialog } from '../../kit/action_dialog.tsx';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import { createdFilter } from '../../kit/filters.ts';
import { Icon } from '../../kit/icon.tsx';
import { listPage } from '../../kit/list_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import style from './api_keys.module.css';
import { createKey } from './create.tsx';
import { IssuedDialog } from './issued.tsx';
import { withoutIncluded } from './scopes.ts';

/** A key that was rolled works until its overlap is over. */
export function shownKeyStatus({ status, revoked_at }: ApiKey) {
  return status === 'active' && revoked_at !== undefined ? { status: 'ending', tone: 'waiting' as const } : { status };
}

function Name({ id, name, hint }: ApiKey) {
  return (
    <RowLink id={id}>
      {name} <span className={style.hint}>…{hint}</span>
    </RowLink>
  );
}

function shownScopes({ kind, scopes = [] }: ApiKey): string {
  return kind === 'secret' ? 'Full access' : withoutIncluded(scopes).join(', ');
}

export const Page = listPage<ApiKey>({
  name: 'api_keys',
  title: 'API keys',
  icon: 'keys',
  columns: [
    { id: 'name', title: 'Name', isText: true, cell: Name },
    { id: 'status', title: 'Status', cell: (key) => <Status {...shownKeyStatus(key)} /> },
    { id: 'kind', title: 'Kind', isWideOnly: true, cell: ({ kind }) => wordsOf(kind) },
    {
      id: 'scopes',
      title: 'Permissions',
      isText: true,
      isWideOnly: true,
      cell: (key) => <span title={shownScopes(key)}>{shownScopes(key)}</span>,
    },
    idColumn,
    {
      id: 'last_used',
      title: 'Last used',
      align: 'right',
      cell: ({ last_used }) =>
        last_used === undefined ? <span className="quiet">Never</span> : <Moment seconds={last_used} isRelative />,
    },
    {
      id: 'expires',
      title: 'Expires',
      align: 'right',
      isWideOnly: true,
      cell: ({ expires_at, revoked_at }) => {
        const end = revoked_at ?? expires_at;
        return end === undefined ? <span className="quiet">Never</span> : <Moment seconds={end} />;
      },
    },
    { ...createdColumn, isWideOnly: true, isHidden: true },
  ],
  filters: [createdFilter],
  load: (api, params, options) => api.apiKeys.list(params, options),
  empty: (mode) => ({
    title: `No ${mode} keys yet`,
    text: 'Your server calls the API with a key. Create one here, or on the server that runs the gateway:',
    command: tollgateCommand(`keys create --account acct_… --name "My server"${mode === 'live' ? ' --live' : ''}`),
  }),
  actions: (
    <Group gap="md" wrap="nowrap">
      <Link to="/request-log" search={{ sent_by: 'key' } as never} aria-label="Requests with keys">
        Requests
      </Link>
      <NewKey />
    </Group>
  ),
});

function NewKey() {
  const workspace = useWorkspace();
  const { dialog, open } = useDialog();
  const [issued, setIssued] = useState<IssuedApiKey>();
  if (!workspace.may('api_keys.create')) return null;
  return (
    <>
      <Button onClick={() => open(createKey(workspace, setIssued))} leftSection={<Icon name="plus" size={14} />}>
        Create key
      </Button>
      {dialog}
      {issued && <IssuedDialog issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  );
}
