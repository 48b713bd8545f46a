import type { ApiAnswer, ApiClient } from './api/client.ts';
import type { Pair } from './api/flags.ts';
import { poll } from './api/poll.ts';
import { type ApiOptions, withClient } from './api/run.ts';
import { inWords } from './api/show.ts';
import { print } from './print.ts';
import { Progress } from './progress.ts';
import { isoMoment, UsageError } from './usage.ts';

type AdvanceOptions = ApiOptions & { to?: string; wait?: boolean };

/** Advances a test clock, and waits until everything that fell due on the way has happened. */
export async function advance(id: string, pairs: readonly Pair[], options: AdvanceOptions): Promise<void> {
  const target = options.to === undefined ? [] : [{ name: 'frozen_time', value: secondsOf(options.to) }];
  const work = async (client: ApiClient) => {
    const path = `/test_clocks/${encodeURIComponent(id)}`;
    const started = await client.json({ method: 'POST', path: `${path}/advance`, pairs: [...pairs, ...target] });
    const clock = options.wait ? await arrival(client, path, started, [...pairs, ...target]) : started;
    print(options.json, clock, () => inWords(clock));
  };
  // A refusal is about the option that was given, or about the shorter one.
  await withClient(options, work, { named: pairs.length === 0 ? { frozen_time: '--to' } : {} });
}

function secondsOf(text: string): string {
  if (/^\d{1,12}$/.test(text)) return text;
  const moment = isoMoment(text);
  if (moment === undefined)
    throw new UsageError(
      '--to takes a date such as 2035-01-31 (UTC), a time such as 2035-01-31T12:00:00Z, or epoch seconds',
    );
  return String(Math.floor(moment / 1_000));
}

async function arrival(
  client: ApiClient,
  path: string,
  started: ApiAnswer,
  pairs: readonly Pair[],
): Promise<ApiAnswer> {
  using progress = new Progress('advanced');
  const from: number = started.frozen_time;
  const to = Number(pairs.at(-1)?.value);
  const look = (clock: ApiAnswer) => {
    const day = new Date(clock.frozen_time * 1_000).toISOString().slice(0, 10);
    progress.set(clock.frozen_time - from, to - from, `at ${day}`);
    return clock.status === 'ready' ? clock : undefined;
  };
  return await poll(client, { path, look });
}
