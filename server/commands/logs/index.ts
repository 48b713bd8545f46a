import { type RequestFilter, statusFilter } from '../../resources/views/request_logs/filter.ts';
import type { LoggedRequest } from '../../resources/views/request_logs/tail.ts';
import { coloured } from '../colour.ts';
import { isoTime, print } from '../print.ts';
import { parseList, UsageError } from '../usage.ts';
import { tailApi } from './api.ts';
import { tailDatabase } from './database.ts';
import { type LogView, limitMax, type TailOptions } from './view.ts';

/** The newest requests of an account, from the request log; with `--follow`, those to come as well. */
export async function tail(options: TailOptions): Promise<void> {
  const { account, json, follow = false } = options;
  const one = (request: LoggedRequest) => print(json, request, () => lineOf(request));
  const view: LogView = {
    filter: filterOf(options),
    limit: limitOf(options.limit),
    isFollowing: follow,
    one,
    newest(found) {
      if (follow) found.forEach(one);
      else print(json, found, () => (found.length === 0 ? 'none' : found.map(lineOf).join('\n')));
    },
  };
  await (account === undefined ? tailApi(options, view) : tailDatabase({ ...options, account }, view));
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

export function lineOf({
  created,
  method,
  path,
  status,
  code,
  message,
  duration_ms,
  object_id,
  id,
}: LoggedRequest): string {
  const colour = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  const facts = [object_id, code, id, message].filter((fact) => fact !== undefined);
  const time = isoTime(created).slice(0, 19);
  return `${time}Z  ${coloured(colour, String(status))}  ${method.padEnd(6)} ${path}  ${duration_ms} ms  ${facts.join('  ')}`;
}
