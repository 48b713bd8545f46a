import { usePolling } from '../../kit/poll.ts';
import { useRead } from '../../kit/read.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { advancesOf } from './history.ts';

/** The advances of a clock, newest first: the request log knows them. `awaited` is where one leads that must be there soon. */
export function useAdvances(clock: string, awaited: number | undefined) {
  const { may } = useWorkspace();
  const reading = useRead(
    ['test_clocks', clock, 'advances'],
    async (api, options) =>
      advancesOf((await api.requestLogs.list({ object_id: clock, method: 'POST', limit: 100 }, options)).data),
    { isEnabled: may('request_logs.list') },
  );
  // The log has a request within a second.
  const isMissing = awaited !== undefined && reading.data?.some(({ to }) => to === awaited) === false;
  usePolling(isMissing, reading.refetch);
  return reading;
}
