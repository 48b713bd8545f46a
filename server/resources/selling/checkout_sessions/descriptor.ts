import { type Descriptor, findRows, requireRow } from '../../../operations/descriptor.ts';
import type { CheckoutSession } from './checkout_session.ts';
import { SessionOutput, serializeSession, sessionEvent } from './schema.ts';
import { sessionsTable } from './store.ts';

export const sessionDescriptor: Descriptor<CheckoutSession> = {
  resource: 'checkout_sessions',
  noun: 'checkout session',
  prefix: 'cs',
  table: sessionsTable,
  serialize: serializeSession,
  output: SessionOutput,
  event: sessionEvent as Descriptor<CheckoutSession>['event'] & object,
  csv: `id created status payment_status amount_total currency mode customer payment reference completed_at expired_reason
    payment_link amount_total_decimal`,
  notes: {
    retrieve: 'This is how you learn whether it is paid, when you do not wait for `checkout_session.completed`.',
  },
};

export const requireSession = requireRow(sessionDescriptor);
export const findSessions = findRows(sessionDescriptor);
