import { customerOperations } from './customers/operations.ts';
import { eventOperations } from './events/operations.ts';
import type { AnyOperation } from './operation.ts';
import { methodsOfCustomers, paymentMethodOperations } from './payment_methods/operations.ts';
import { paymentOperations } from './payments/operations.ts';
import { webhookEndpointOperations } from './webhook_endpoints/operations.ts';

/** Everything the API does. A new resource is one folder, one migration and one line here. */
export const operations: readonly AnyOperation[] = [
  ...paymentOperations,
  ...customerOperations(methodsOfCustomers),
  ...paymentMethodOperations,
  ...eventOperations,
  ...webhookEndpointOperations,
];
