import { balanceOperations } from './balance/operations.ts';
import { customerOperations } from './customers/operations.ts';
import { disputeOperations, refuseDisputed } from './disputes/operations.ts';
import { eventOperations } from './events/operations.ts';
import type { AnyOperation } from './operation.ts';
import { methodsOfCustomers, paymentMethodOperations } from './payment_methods/operations.ts';
import { paymentOperations } from './payments/operations.ts';
import { refundOperations } from './refunds/operations.ts';
import { webhookEndpointOperations } from './webhook_endpoints/operations.ts';

/** Everything the API does. A new resource is one folder, one migration and one line here. */
export const operations: readonly AnyOperation[] = [
  ...paymentOperations,
  ...refundOperations({ refuseDisputed }),
  ...disputeOperations,
  ...customerOperations(methodsOfCustomers),
  ...paymentMethodOperations,
  ...eventOperations,
  ...balanceOperations,
  ...webhookEndpointOperations,
];
