import { setTimeout as sleep } from 'node:timers/promises';
import { usualPatience } from '../base/patient_client.ts';
import { type RequestFilter, statusFilter } from '../resources/views/request_logs/filter.ts';
import { type LoggedRequest, RequestTail } from '../resources/views/request_logs/tail.ts';
import { coloured } from './colour.ts';
import { withConnection } from './context.ts';
import { tenantFor } from './listen.ts';
import { isoTime, print } from './print.ts';
import { parseList, parsePast, UsageError } from './usage.ts';

type TailOptions = {
  account?: string;
  live?: boolean;
  status?: string;
  method?: string;
  operation?: string;
  path?: string;
  key?: string;
  since: string;
  limit: string;
  follow?: boolean;
  json?: boolean;
};

const lookEveryMs = 250;
const limitMax = 10_000;

/** The newest requests of an account, from the request log; with `--follow`, those to come as well. */
export async function tail(options: TailOptions): Promise<void> {
  const filter = filterOf(options);
  const limit = limitOf(options.limit);
  await withConnection(
    async ({ client, actor }) => {
      const tenant = await tenantFor(client, options);
      const log = new RequestTail(tenant, parsePast('--since', options.since, actor.now), filter);
      const found = await log.last(client, limit);
      if (!options.follow) {
        print(options.json, found, () => (found.length === 0 ? 'none' : found.map(lineOf).join('\n')));
        return;
      }
      const show = (one: LoggedRequest) => print(options.json, one, () => lineOf(one));
      found.forEach(show);
      for (;;) {
        await sleep(lookEveryMs);
        (await log.news(client, limitMax)).forEach(show);
      }
    },
    // A PostgreSQL that this command had started would keep the server from starting.
    { mayStart: options.follow !== true, ...(options.follow ? { patience: usualPatience } : {}) },
  );
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= limitMax) return limit;
  throw new UsageError(`--limit takes a whole number from 1 to ${limitMax}`);
}

export function filterOf({ status, method, operation, path, key }: Partial<TailOptions>): RequestFilter {
  const wanted = status === undefined ? {} : statusFilter(parseList('--status', status));
  if (wanted === undefined) throw new UsageError('--status takes statuses such as 402, and classes such as 4xx');
  return {
    ...wanted,
    ...(method !== undefined && { methods: parseList('--method', method.toUpperCase()) }),
    ...(operation !== undefined && { operations: parseList('--operation', operation) }),
    ...(path !== undefined && { pathBegins: path }),
    ...(key !== undefined && { key }),
  };
}

export function lineOf({ created, method, path, status, code, duration_ms, object_id, id }: LoggedRequest): string {
  const colour = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  const facts = [object_id, code, id].filter((fact) => fact !== undefined);
  const time = isoTime(created).slice(0, 19);
  return `${time}Z  ${coloured(colour, String(status))}  ${method.padEnd(6)} ${path}  ${duration_ms} ms  ${facts.join('  ')}`;
}
