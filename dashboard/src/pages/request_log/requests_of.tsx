import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RequestLogsListParameters } from '@tollgate/node';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { ListTable } from '../../kit/list_table.tsx';
import { useRead } from '../../kit/read.ts';
import { requestColumns } from './columns.tsx';

const newest = 8;
const left = ['by', 'address'];
const columns = requestColumns.filter(({ id }) => !left.includes(id));

/** The newest requests of a key. */
export function RequestsOf({ filter }: { filter: Pick<RequestLogsListParameters, 'api_key'> }) {
  const { data, error } = useRead(['request_logs', 'of', filter], (api, options) =>
    api.requestLogs.list({ ...filter, limit: newest }, options),
  );
  const isNone = error === null && data?.data.length === 0;
  return (
    <Section
      title="Newest requests"
      isFlush
      none={isNone && 'None in the last 30 days.'}
      aside={
        !isNone && (
          <Link to="/request-log" search={filter as never} aria-label="All requests">
            All
            <Box component="span" visibleFrom="lg">
              {' requests'}
            </Box>
          </Link>
        )
      }
    >
      {error !== null && <Failure error={error} />}
      {error === null && <ListTable columns={columns} items={data?.data} />}
    </Section>
  );
}
