import type { RequestLog } from '@tollgate/node';
import { resourcesOfPeople } from '../../generated/catalog.ts';
import { curlOf, type Sent } from '../../kit/curl.ts';

/** No key finds the operations of these. */
const ofPeople: readonly string[] = resourcesOfPeople;

/** The request as a command; undefined where no key can send it. */
export function commandOf(request: RequestLog, gateway: Pick<Sent, 'origin' | 'caFile'>): string | undefined {
  const { method, path, operation, object_id, parameters } = request;
  if (operation !== undefined && ofPeople.includes(operation.split('.')[0]!)) return undefined;
  return curlOf({ ...gateway, method, path: path.replace(':id', object_id ?? ':id'), parameters });
}
