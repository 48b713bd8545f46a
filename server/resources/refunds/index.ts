import { resource } from '../resource.ts';
import { RefundDuties } from './duties.ts';
import { refundErrors } from './errors.ts';
import { refundHolds, refundOperations } from './operations.ts';
import { refundEvents } from './refund.ts';
import { settleByHand } from './settle_by_hand.ts';

export const refunds = resource({
  name: 'refunds',
  scopes: ['refunds'],
  errors: refundErrors,
  events: refundEvents,
  duties: (services) => [new RefundDuties(services).duty()],
  notices(services) {
    const duties = new RefundDuties(services);
    return { refund_settled: (notice, connector) => duties.reported(notice, connector) };
  },
  operations: (declared) => [...refundOperations(declared.extensionsOf(refundHolds)), settleByHand],
});
