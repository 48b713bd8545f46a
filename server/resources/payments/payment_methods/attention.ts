import type { AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { kindOf } from './by_kind.ts';
import type { PaymentMethod } from './payment_method.ts';
import { findUnforgotten } from './store.ts';

export const leftAtProcessors: AttentionSource = {
  kind: 'card_at_processor',
  about: 'a processor could not be asked to delete the customer that was made for a deleted payment method',
  scope: 'payment_methods:read',
  right: 'change',
  objects: ['payment_method'],
  async find(reads, tenant, limit) {
    return (await findUnforgotten(reads, tenant, limit)).map((method) => ({
      id: method.id,
      object: 'payment_method',
      since: timestampOf(method.left_since!),
      reason: leftover(method),
      action: 'It is tried again by itself. Delete the customer at the processor, or give the key the permission to.',
    }));
  },
};

function leftover(method: PaymentMethod): string {
  const { processor_account, processor_customer } = method;
  return `${processor_account} still has the customer ${processor_customer} of a ${kindOf(method).type} that was detached or deleted here.`;
}
