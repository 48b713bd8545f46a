import { usesOfMethods } from '../payment_methods/duties.ts';
import { type Declared, resource } from '../resource.ts';
import { PaymentDuties } from './duties.ts';
import { paymentErrors } from './errors.ts';
import { paymentOperations } from './operations.ts';
import { paymentEvents } from './payment.ts';
import { settleByHand } from './settle_by_hand.ts';
import { hasUnfinished } from './store.ts';
import { paymentTopic, settlements } from './topic.ts';

const topicOf = (declared: Declared) => paymentTopic(declared.extensionsOf(settlements));

export const payments = resource({
  name: 'payments',
  scopes: ['payments'],
  errors: paymentErrors,
  events: paymentEvents,
  operations: (declared) => [...paymentOperations(topicOf(declared)), settleByHand(topicOf(declared))],
  duties: (services, declared) => [new PaymentDuties(services, topicOf(declared)).duty()],
  notices(services, declared) {
    const duties = new PaymentDuties(services, topicOf(declared));
    return {
      payment_settled: (notice, connector) => duties.reported(notice, connector),
      payment_changed: (notice, connector) => duties.changed(notice, connector),
      late: (tenant, attempt, outcome) => duties.answeredLate(tenant, attempt, outcome),
    };
  },
  extensions: [usesOfMethods.with(hasUnfinished)],
});
