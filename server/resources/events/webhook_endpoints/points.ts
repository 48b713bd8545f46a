import type { Write } from '../../../base/commit/index.ts';
import type { Context } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import type { WebhookEndpoint } from './webhook_endpoint.ts';

/** What is deleted with an endpoint. */
export type EndpointRemoval = (context: Context, endpoint: WebhookEndpoint) => Promise<Write[]>;

export const endpointRemovals = extensionPoint<EndpointRemoval>('what is deleted with a webhook endpoint');
