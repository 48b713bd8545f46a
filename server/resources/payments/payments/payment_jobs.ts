import type { Declared } from '../../../operations/resource.ts';
import { PaymentJobs } from './jobs.ts';
import { lateApprovalRules } from './late_approval.ts';
import { challengeRules, type PassOnServices } from './pass_on.ts';
import { paymentTopic, settlements } from './topic.ts';

/** The jobs of payments with everything that resources add to them: also for the owner of a payment, who closes it. */
export function paymentJobs(services: PassOnServices, declared: Pick<Declared, 'extensionsOf'>): PaymentJobs {
  return new PaymentJobs(
    services,
    paymentTopic(declared.extensionsOf(settlements)),
    declared.extensionsOf(challengeRules),
    declared.extensionsOf(lateApprovalRules),
  );
}
