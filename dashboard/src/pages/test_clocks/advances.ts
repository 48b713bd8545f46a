import { usePolling } from '../../kit/poll.ts';
import { useRead } from '../../kit/read.ts';
import { advancesOf } from './history.ts';

/** The advances of a clock, newest first: the request log knows them. `awaited` is where one leads that must be there soon. */
export function useAdvances(clock: string, awaited: number | undefined) {
  const reading = useRead(['test_clocks', clock, 'advances'], async (api, options) =>
    advancesOf((await api.requestLogs.list({ object_id: clock, method: 'POST', limit: 100 }, options)).data),
  );
  // The log has a request within a second.
  const isMissing = awaited !== undefined && reading.data?.some(({ to }) => to === awaited) === false;
  usePolling(isMissing, reading.refetch);
  return reading;
}
