import { Box } from '@mantine/core';
import type { ProcessorHealth } from '@tollgate/node';
import type { ReactNode } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { SettingRows } from '../../kit/settings_page.tsx';
import { Status } from '../../kit/status.tsx';
import { durationOf, percentOf } from './numbers.ts';

/** Of all processor accounts: one request, however many cells show it. */
function useHealth() {
  return useRead(['processor_accounts', 'health'], (api, options) => api.processorAccounts.health(options));
}

/** A number of one processor account in a list. A dash: nothing was asked of it. */
export function HealthCell({ id, show }: { id: string; show(health: ProcessorHealth): ReactNode }) {
  const { data } = useHealth();
  const health = data?.data.find(({ processor_account }) => processor_account === id);
  return data === undefined ? null : ((health && show(health)) ?? '–');
}

export const rateOf = ({ success_rate }: ProcessorHealth) => percentOf(success_rate);
export const latencyOf = ({ median_ms, p95_ms }: ProcessorHealth) =>
  median_ms === undefined ? undefined : `${durationOf(median_ms)} / ${durationOf(p95_ms!)}`;

export function UnknownOutcomes({ count }: { count: number }) {
  return count === 0 ? '0' : <Status status={String(count)} tone="waiting" />;
}

export function Health({ id }: { id: string }) {
  const { data, error, refetch } = useHealth();
  const health = data?.data.find(({ processor_account }) => processor_account === id);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const since = health && (
    <Box component="span" c="dimmed" fz="sm">
      since <Moment seconds={data.since} />
    </Box>
  );
  return (
    <Section title="Health" aside={since} isFlush none={health === undefined && 'No requests in the last 24 hours.'}>
      {health && <Numbers health={health} />}
    </Section>
  );
}

function Numbers({ health }: { health: ProcessorHealth }) {
  const { requests, approved, declined, not_sent, median_ms, p95_ms, unknown_outcomes } = health;
  return (
    <SettingRows
      rows={[
        {
          name: 'Success rate',
          value: rateOf(health) ?? 'No authorizations decided',
          about: `${approved} approved, ${declined} declined, ${not_sent} not processed`,
        },
        {
          name: 'Latency',
          value: median_ms === undefined ? 'No responses' : `${durationOf(median_ms)} median`,
          about: p95_ms === undefined ? undefined : `95% of responses within ${durationOf(p95_ms)}`,
        },
        {
          name: 'Unknown outcomes',
          value: <UnknownOutcomes count={unknown_outcomes} />,
          about: unknown_outcomes === 0 ? undefined : 'The gateway keeps asking the processor.',
        },
        { name: 'Requests', value: requests.toLocaleString() },
      ]}
    />
  );
}
