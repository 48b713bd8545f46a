import { type Outstanding, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import { paymentsTable } from './store.ts';

const canceled = { table: paymentsTable, endsBy: 'payments.cancel' };

export const outstandingPayments: readonly Outstanding[] = [
  rowsInStatus({
    ...canceled,
    kind: 'payments_requires_capture',
    fate: 'are canceled, which releases the authorization',
    statuses: ['requires_capture'],
  }),
  rowsInStatus({
    ...canceled,
    kind: 'payments_requires_action',
    fate: 'are canceled; the cardholder can no longer authenticate',
    statuses: ['requires_action'],
  }),
  rowsInStatus({
    kind: 'payments_processing',
    fate: 'wait for the processor: the outcome is unknown',
    table: paymentsTable,
    statuses: ['processing'],
  }),
];
