import { SegmentedControl, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { RequestErrorGroup } from '@tollgate/node';
import type { ReactNode } from 'react';
import { Empty } from '../../kit/empty.tsx';
import { Failure } from '../../kit/failure.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { type Column, ListTable } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { PageLayout } from '../../kit/page_layout.tsx';
import { useRead } from '../../kit/read.ts';
import { AnswerStatus } from '../../nouns/api_answer.tsx';
import { Route } from './columns.tsx';
import style from './request_log.module.css';

type Row = RequestErrorGroup & { id: string };

const columns: readonly Column<Row>[] = [
  {
    id: 'code',
    title: 'Error code',
    room: 13,
    cell: ({ error_code, path, method, status }) => (
      <Link to="/request-log" search={{ error_code, path, method, status: String(status) } as never}>
        <code className={style.code}>{error_code}</code>
      </Link>
    ),
  },
  { id: 'count', title: 'Count', room: 5, align: 'right', cell: ({ count }) => count.toLocaleString() },
  {
    id: 'status',
    title: 'Response',
    room: 6,
    isWideOnly: true,
    cell: ({ status }) => <AnswerStatus status={status} />,
  },
  {
    id: 'route',
    title: 'Route',
    isText: true,
    room: 12,
    isWideOnly: true,
    cell: ({ method, path }) => <Route method={method} path={path} />,
  },
  {
    id: 'example',
    title: 'Newest',
    room: 15,
    isWideOnly: true,
    cell: ({ latest_request }) => <IdLink id={latest_request} />,
  },
  {
    id: 'first',
    title: 'First',
    room: 10,
    align: 'right',
    isWideOnly: true,
    cell: (row) => <Moment seconds={row.first_created} />,
  },
  { id: 'latest', title: 'Last', room: 10, align: 'right', cell: (row) => <Moment seconds={row.latest_created} /> },
];

const ranges = { '24h': [1, '24 hours'], '7d': [7, '7 days'], '30d': [30, '30 days'] } as const;
type Range = keyof typeof ranges;

/** Refused requests by code and route, the most frequent first. */
export function ErrorsPage({ views }: { views: ReactNode }) {
  const { range: given } = useSearch({ strict: false }) as { range?: string };
  const range: Range = given !== undefined && Object.hasOwn(ranges, given) ? (given as Range) : '24h';
  const [days, words] = ranges[range];
  const { data, error, refetch, isPlaceholderData } = useRead(
    ['request_logs', 'errors', range],
    (api, options) => api.requestLogs.listErrors({ created: { gte: startOf(days) } }, options),
    { keeps: true },
  );
  const rows = data?.data.map((group): Row => {
    return { ...group, id: [group.error_code, group.status, group.method, group.path].join(' ') };
  });
  return (
    <PageLayout title="Request log" windowTitle="Errors" actions={views}>
      <Ranges range={range} />
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.is_complete === false && (
        <Text c="dimmed">There are more than 20,000 errors with one status: only the newest are counted.</Text>
      )}
      {error === null && rows?.length === 0 && (
        <Empty
          icon="check"
          title={`No errors in ${words}`}
          text="Failed requests appear here by error code and route."
        />
      )}
      {error === null && rows?.length !== 0 && <ListTable columns={columns} items={rows} isStale={isPlaceholderData} />}
    </PageLayout>
  );
}

const startOf = (days: number) => Math.floor(Date.now() / 1_000) - days * 86_400;

function Ranges({ range }: { range: Range }) {
  const navigate = useNavigate();
  return (
    <div>
      <SegmentedControl
        size="xs"
        aria-label="Range"
        value={range}
        onChange={(value) => void navigate({ to: '.', search: { view: 'errors', range: value } as never })}
        data={Object.entries(ranges).map(([value, [, label]]) => ({ value, label }))}
      />
    </div>
  );
}
