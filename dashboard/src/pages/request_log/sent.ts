import type { RequestLog } from '@tollgate/node';
import { curlOf } from '../../kit/curl.ts';

/** Operations of people alone begin with one of these: no key finds them. */
export const peopleOnly: readonly string[] = [
  ...['account', 'api_keys', 'audit_log', 'changes', 'inbox', 'inbox_requests', 'invitations', 'me'],
  ...['needs_attention', 'saved_views', 'sessions', 'statistics', 'users'],
];

/** The request as a command; undefined where no key can send it. */
export function commandOf(request: RequestLog, origin: string): string | undefined {
  const { method, path, operation, object_id, parameters } = request;
  if (operation !== undefined && peopleOnly.includes(operation.split('.')[0]!)) return undefined;
  return curlOf({ origin, method, path: path.replace(':id', object_id ?? ':id'), parameters });
}
