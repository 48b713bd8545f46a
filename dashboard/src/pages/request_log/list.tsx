import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RequestLog } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { keyFilter, personFilter } from '../../nouns/sender_filters.tsx';
import { requestColumns } from './columns.tsx';
import { ErrorsPage } from './errors.tsx';
import { loadRequests, withoutOwnReads } from './load.ts';

const requests: ListDescriptor<RequestLog> = {
  name: 'request_logs',
  title: 'Request log',
  icon: 'log',
  columns: requestColumns,
  filters: [
    {
      kind: 'choice',
      name: 'status',
      title: 'Response',
      choices: ['2xx', '4xx', '5xx', '400', '401', '402', '403', '404', '429'],
    },
    { kind: 'text', name: 'error_code', title: 'Error code', placeholder: 'card_declined' },
    { kind: 'text', name: 'path', title: 'Route', placeholder: '/v1/payments/:id' },
    { kind: 'choice', name: 'method', title: 'Method', choices: ['GET', 'POST', 'DELETE'] },
    {
      kind: 'choice',
      name: 'sent_by',
      title: 'Sent by',
      choices: [...filterChoices['request_logs.list'].sent_by, 'all'],
      words: { all: 'All, with reads in the dashboard' },
    },
    keyFilter,
    personFilter,
    { kind: 'text', name: 'object_id', title: 'Object', placeholder: 'py_…' },
    { kind: 'days', name: 'created', title: 'Time' },
  ],
  load: (api, params, options) => loadRequests(api, withoutOwnReads(params), options),
  empty: (mode) => ({
    title: `No ${mode} requests in the last 30 days`,
    text: 'Every request with a key of this account appears here within a second. To follow them in a shell:',
    command: tollgateCommand('logs tail'),
  }),
  actions: <Views value="requests" />,
};

/** Single requests, or refusals by code and route. Which, stands in the address. */
export function Page() {
  const { view } = useSearch({ strict: false }) as { view?: string };
  return view === 'errors' ? <ErrorsPage views={<Views value="errors" />} /> : <ListPage list={requests} />;
}

function Views({ value }: { value: 'requests' | 'errors' }) {
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label="View"
      value={value}
      onChange={(view) => void navigate({ to: '.', search: (view === 'errors' ? { view } : {}) as never })}
      data={[
        { value: 'requests', label: 'Requests' },
        { value: 'errors', label: 'Errors' },
      ]}
    />
  );
}
