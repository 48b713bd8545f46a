import type { Bind } from '../../../operations/scan.ts';

/** Who sends requests: programs with an API key, and people in the dashboard. */
export const senders = ['key', 'person'] as const;
type RequestSender = (typeof senders)[number];

/** Which requests are wanted. All conditions must hold. */
export type RequestFilter = {
  /** Exact statuses, and classes by their first digit: one of them. */
  statuses?: readonly number[];
  classes?: readonly number[];
  methods?: readonly string[];
  operations?: readonly string[];
  path?: string;
  /** How the path begins. */
  pathBegins?: string;
  key?: string;
  user?: string;
  sender?: RequestSender;
  /** Without what people have only read. */
  withoutDashboardReads?: true;
  object?: string;
  code?: string;
};

const senderColumns = { key: 'api_key', person: 'user_id' } as const satisfies Record<RequestSender, string>;

/** The conditions of a filter, without those in `met`, which an index has seen to. */
export function conditionsOf(filter: RequestFilter, bind: Bind, met: readonly (keyof RequestFilter)[] = []): string[] {
  const left: RequestFilter = Object.fromEntries(
    Object.entries(filter).filter(([name]) => !met.includes(name as keyof RequestFilter)),
  );
  const { statuses, classes, methods, operations, path, pathBegins, key, user, sender, object, code }: RequestFilter =
    left;
  return [
    ...(statuses === undefined && classes === undefined ? [] : [hasStatus(statuses ?? [], classes ?? [], bind)]),
    ...(methods === undefined ? [] : [`method = any(${bind(methods)}::text[])`]),
    ...(operations === undefined ? [] : [`operation = any(${bind(operations)}::text[])`]),
    ...(path === undefined ? [] : [`path = ${bind(path)}`]),
    ...(pathBegins === undefined ? [] : [`starts_with(path, ${bind(pathBegins)})`]),
    ...(key === undefined ? [] : [`api_key = ${bind(key)}`]),
    ...(user === undefined ? [] : [`user_id = ${bind(user)}`]),
    ...(sender === undefined ? [] : [`${senderColumns[sender]} is not null`]),
    ...(left.withoutDashboardReads ? [`(user_id is null or method <> 'GET')`] : []),
    ...(object === undefined ? [] : [`object_id = ${bind(object)}`]),
    ...(code === undefined ? [] : [`code = ${bind(code)}`]),
  ];
}

function hasStatus(statuses: readonly number[], classes: readonly number[], bind: Bind): string {
  return `(status = any(${bind(statuses)}::int4[]) or status / 100 = any(${bind(classes)}::int4[]))`;
}

const statusForm = /^[1-5](\d\d|xx)$/;

/** Statuses such as 402, and classes such as 4xx; undefined if one of the words is neither. */
export function statusFilter(words: readonly string[]): Pick<RequestFilter, 'statuses' | 'classes'> | undefined {
  if (!words.every((word) => statusForm.test(word))) return undefined;
  return {
    statuses: words.filter((word) => !word.endsWith('xx')).map(Number),
    classes: words.filter((word) => word.endsWith('xx')).map((word) => Number(word[0])),
  };
}

/** The statuses of refusals. Every answer to a caller has one of them, or 200. */
export const refusedStatuses = [400, 401, 402, 403, 404, 429, 500] as const;
