import type { RequestLog } from '@tollgate/node';
import { resourcesOfPeople } from '../../generated/catalog.ts';
import { operationRights } from '../../generated/rights.ts';
import { curlOf, isRedacted, type Sent } from '../../kit/curl.ts';
import { typescriptOf } from '../../kit/typescript.ts';
import type { ApiRequest } from '../../nouns/sending.ts';
import type { OperationName } from '../../session/rights.ts';

/** No key finds the operations of these. */
const ofPeople: readonly string[] = resourcesOfPeople;

/** Of the workspace. */
type Rights = { may(operation: OperationName): boolean; whoMay(operation: OperationName): string };

type Gateway = Pick<Sent, 'origin' | 'caFile'>;

/** What was sent, as far as the log knows it. */
export function sentOf({ method, path, url, object_id, parameters = {} }: RequestLog): ApiRequest {
  const sentPath = url ?? path.replace(':id', object_id ?? ':id');
  return { method: method as ApiRequest['method'], path: sentPath, parameters };
}

/** The request as a command, and as a program; undefined where no key can send it. */
export function codeOf(request: RequestLog, gateway: Gateway): { curl: string; typescript: string } | undefined {
  const { operation, path } = request;
  if (operation !== undefined && ofPeople.includes(operation.split('.')[0]!)) return undefined;
  const sent = { ...gateway, ...sentOf(request) };
  const id = path.includes(':id') ? (/[a-z]+_[0-9A-Za-z]{22}/.exec(sent.path)?.[0] ?? ':id') : undefined;
  return {
    curl: curlOf(sent),
    typescript: typescriptOf({ ...sent, operation: operation === undefined ? undefined : { name: operation, id } }),
  };
}

/** Why a request cannot be sent again by this person, in a sentence; undefined if it can. */
export function whyNotAgain(request: RequestLog, { may, whoMay }: Rights): string | undefined {
  const { operation, url, parameters, parameters_start } = request;
  if (operation === undefined) return 'No operation has this path.';
  if (!Object.hasOwn(operationRights, operation)) return 'It cannot be sent from here.';
  if (parameters_start !== undefined) return 'It is longer than 8 KiB, of which the log keeps the beginning.';
  if (url === undefined) return 'The log keeps what was sent for 7 days, for those who can read such objects.';
  if (isRedacted(parameters)) return 'The log does not store some of its values, and shows [redacted].';
  return may(operation as OperationName) ? undefined : `${whoMay(operation as OperationName)} can send it.`;
}
