import type { Declared } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { closePage, type ReturnKind, type Words } from '../returns/page.ts';
import type { PaymentJobs } from './jobs.ts';
import type { PaymentStatus } from './payment.ts';
import { paymentsTable } from './store.ts';

const approved = { title: 'Your payment was approved', words: closePage };
const open = {
  title: 'Your payment is not finished yet',
  words: `The shop is notified as soon as it is. Please do not pay again. ${closePage}`,
};
const texts: Record<PaymentStatus, Words> = {
  succeeded: approved,
  requires_capture: approved,
  failed: { title: 'Your payment failed', words: `You were not charged. ${closePage}` },
  canceled: { title: 'Your payment was canceled', words: `You were not charged. ${closePage}` },
  processing: open,
  requires_action: open,
};

/** How cardholders come back from the authentication of a payment. */
export const returnsFromPayments =
  (jobsOf: (services: Services, declared: Declared) => PaymentJobs) =>
  (services: Services, declared: Declared): ReturnKind => ({
    prefix: 'py',
    name: 'payment',
    async find(reads, tenant, id) {
      const payment = await reads.one(paymentsTable, tenant, id);
      return payment && { ...payment, attempt: payment.open_attempt ?? payment.authorization_attempt };
    },
    handlers: jobsOf(services, declared),
    texts,
  });
