import { resource } from '../resource.ts';
import { refundErrors } from './errors.ts';
import { refundHolds, refundOperations } from './operations.ts';
import { refundEvents } from './refund.ts';

export const refunds = resource({
  name: 'refunds',
  scopes: ['refunds'],
  errors: refundErrors,
  events: refundEvents,
  operations: (declared) => refundOperations(declared.extensionsOf(refundHolds)),
});
