import { resource } from '../resource.ts';
import { paymentErrors } from './errors.ts';
import { paymentOperations } from './operations.ts';
import { paymentEvents } from './payment.ts';

export const payments = resource({
  name: 'payments',
  scopes: ['payments'],
  errors: paymentErrors,
  events: paymentEvents,
  operations: paymentOperations,
});
