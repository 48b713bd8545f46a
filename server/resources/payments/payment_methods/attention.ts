import type { AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { findUnforgotten } from './store.ts';

export const cardsLeft: AttentionSource = {
  kind: 'card_at_processor',
  about: 'a processor could not be asked to delete the customer that was made for a deleted card',
  objects: ['payment_method'],
  async find(reads, tenant, limit) {
    return (await findUnforgotten(reads, tenant, limit)).map(
      ({ id, processor_account, processor_customer, left_since }) => ({
        ...{ id, object: 'payment_method', since: timestampOf(left_since!) },
        reason: `${processor_account} still has the customer ${processor_customer} of a card that was detached or deleted here.`,
        action: 'It is tried again by itself. Delete the customer at the processor, or give the key the permission to.',
      }),
    );
  },
};
