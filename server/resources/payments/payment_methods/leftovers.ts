import type { Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import { operation } from '../../../operations/operation.ts';
import { Moment, Parameters, Shown, Text, timestampOf } from '../../../operations/schemas.ts';
import { apiError } from './errors.ts';
import { nothingToForget, type PaymentMethod } from './payment_method.ts';
import { findKeptCards, paymentMethodsTable, removeKeptCard, replacePaymentMethod } from './store.ts';

const LeftoverOutput = Shown(
  'Leftover',
  'leftover',
  'What a processor still has of a payment method that was detached or deleted here.',
  {
    processor_account: Text('The processor account that keeps it.'),
    processor_customer: Text("The processor's own name for the customer."),
    state: Type.String({
      description: '`not_ours`: the customer is not one that Tollgate made. `retrying`: it could not be deleted yet.',
    }),
    since: Moment('Since when it is listed.'),
  },
);

export function serializeLeftover({ id, processor_account, processor_customer, left_since, due_at }: PaymentMethod) {
  return {
    id,
    object: 'leftover',
    processor_account,
    processor_customer,
    state: due_at === null ? 'not_ours' : 'retrying',
    since: timestampOf(left_since!),
  };
}

/** Operators see to what is left of the whole installation. */
export const dismissLeftover = operation({
  callers: ['operator'],
  name: 'payment_methods.dismiss_leftover',
  summary: 'Take off the list what a processor still has of a detached payment method',
  route: 'POST /payment_methods/:id/dismiss_leftover',
  input: Parameters({ tenant: Type.Integer({ description: 'Whose payment method it is' }) }),
  output: LeftoverOutput,
  async run({ reads, id }, { tenant }) {
    const before = await reads.one(paymentMethodsTable, tenant as Tenant, id);
    if (before?.left_since == null) throw apiError('resource_missing', { param: 'id', resource: 'leftover' });
    const kept = await findKeptCards(reads, tenant as Tenant, id);
    const ofNumber = kept.map(({ processor_account, customer: processor_customer }) => ({
      ...before,
      processor_account,
      processor_customer,
    }));
    const left = ofNumber.length === 0 ? [before] : ofNumber;
    const cleared = { processor_customer: null, ...nothingToForget };
    return {
      result: serializeLeftover(left[0]!),
      objectId: id,
      tenant: before.tenant,
      writes: [
        replacePaymentMethod({ ...before, ...cleared, version: before.version + 1 }),
        ...kept.map(removeKeptCard),
      ],
      audit: left.map(({ processor_account, processor_customer }) => ({
        action: 'leftover.dismiss',
        subject: id,
        details: { tenant, processor_account, processor_customer },
      })),
    };
  },
});
