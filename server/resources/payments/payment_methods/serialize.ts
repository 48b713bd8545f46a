import { createdSeconds } from '../../../base/id.ts';
import { kindOf } from './by_kind.ts';
import type { PaymentMethod } from './payment_method.ts';

export function serializePaymentMethod(method: PaymentMethod): object {
  const { id, billing, customer, metadata, processor_account } = method;
  const kind = kindOf(method);
  return {
    id,
    object: 'payment_method',
    type: kind.type,
    [kind.type]: kind.serialize(method),
    billing_details: {
      ...(billing.name === undefined ? {} : { name: billing.name }),
      ...(billing.email === undefined ? {} : { email: billing.email }),
    },
    created: createdSeconds(id),
    ...(customer === null ? {} : { customer }),
    ...(metadata === null ? {} : { metadata }),
    ...(processor_account === null ? {} : { processor_token: { processor_account } }),
  };
}
