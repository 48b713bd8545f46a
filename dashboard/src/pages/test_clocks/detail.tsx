import { Box, Button, Paper, Progress } from '@mantine/core';
import type { TestClock } from '@tollgate/node';
import { useEffect, useRef, useState } from 'react';
import { useDialog } from '../../kit/action_dialog.tsx';
import { DetailPage, type Fact, momentFact } from '../../kit/detail_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { usePolling } from '../../kit/poll.ts';
import { useRead, useRefresh } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { advanceClock, deleteClock } from './actions.tsx';
import { useAdvances } from './advances.ts';
import { ClockCustomers } from './customers.tsx';
import { Happened } from './happened.tsx';
import { progressOf } from './history.ts';
import { nameOfClock } from './list.tsx';

/** The advance that was begun on this page. */
type Begun = { from: number; to: number };

export function Detail({ id }: { id: string }) {
  const reading = useRead(['test_clocks', id], (api, options) => api.testClocks.retrieve(id, options));
  const [begun, setBegun] = useState<Begun>();
  const { has } = useWorkspace();
  const isAdvancing = reading.data?.status === 'advancing';
  usePolling(isAdvancing, reading.refetch);
  useRefreshAfter(isAdvancing);
  return (
    <DetailPage<TestClock>
      reading={reading}
      list={{ path: '/test-clocks', title: 'Test clocks' }}
      id={id}
      headline={nameOfClock}
      status={({ status }) => <Status status={status} />}
      story={({ frozen_time, status }) => (
        <>
          {status === 'advancing' ? 'On its way, now at ' : 'Stands at '}
          <Moment seconds={frozen_time} />
          {status === 'ready' && '. Its customers live in that time until you advance it.'}
        </>
      )}
      actions={(clock) => <Actions clock={clock} onBegun={setBegun} />}
      notice={(clock) => isAdvancing && <Advancing clock={clock} begun={begun} />}
      facts={factsOf}
    >
      {(clock) => (
        <>
          <ClockCustomers clock={clock} />
          {has('read_activity') && <Happened clock={clock} awaited={begun?.to} />}
        </>
      )}
    </DetailPage>
  );
}

function factsOf({ frozen_time, created }: TestClock): Fact[] {
  return [['Clock time', <Moment key="time" seconds={frozen_time} />], momentFact('Created', created)];
}

/** When the clock has arrived, everything that is shown of its customers has changed. */
function useRefreshAfter(isAdvancing: boolean): void {
  const refresh = useRefresh();
  const wasAdvancing = useRef(false);
  useEffect(() => {
    if (wasAdvancing.current && !isAdvancing) void refresh();
    wasAdvancing.current = isAdvancing;
  });
}

function Actions({ clock, onBegun }: { clock: TestClock; onBegun(begun: Begun): void }) {
  const { may } = useWorkspace();
  const { dialog, open } = useDialog();
  if (!may('test_clocks.advance')) return null;
  const isReady = clock.status === 'ready';
  const advance = advanceClock(clock, (to) => onBegun({ from: clock.frozen_time, to }));
  return (
    <>
      <Button disabled={!isReady} onClick={() => open(advance)}>
        Advance
      </Button>
      <Button variant="default" disabled={!isReady} onClick={() => open(deleteClock(clock))}>
        Delete
      </Button>
      {dialog}
    </>
  );
}

/** Where an advance leads is known to the page that began it, and otherwise from the log. */
function Advancing({ clock, begun }: { clock: TestClock; begun: Begun | undefined }) {
  const { data: [last] = [] } = useAdvances(clock.id, undefined);
  const way = begun ?? last;
  const isKnown = way !== undefined && way.to >= clock.frozen_time;
  return (
    <Paper withBorder px={16} py={14} role="status">
      <Box component="p" mb={10}>
        The clock is at <Moment seconds={clock.frozen_time} />
        {isKnown && (
          <>
            {' '}
            on its way to <Moment seconds={way.to} />
          </>
        )}
        .
      </Box>
      <Progress
        value={isKnown ? progressOf(clock.frozen_time, way) : 100}
        animated={!isKnown}
        aria-label="Progress of the clock"
      />
    </Paper>
  );
}
