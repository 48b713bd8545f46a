import { Type } from '../../../base/schema.ts';
import { Reference } from '../../../operations/references.ts';
import {
  Currency,
  IdParameter,
  MaybeText,
  MetadataParameter,
  MetadataShape,
  Moment,
  OneOf,
  OptionalChoice,
  Parameters,
  Shown,
  Whole,
} from '../../../operations/schemas.ts';
import { serializer, timeByClock } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { madeAtProcessor, type Refund, type refundEvents, refundReasons, refundStatuses } from './refund.ts';

export const NewRefundInput = Parameters({
  payment: IdParameter('The id of the payment. Its status must be `succeeded`.'),
  amount: Type.Optional(
    Type.Integer({
      description:
        'How much, in the smallest unit of the currency: at least 1, and at most what was received less pending and succeeded refunds, which is also the default.',
    }),
  ),
  reason: OptionalChoice(refundReasons, 'Why the money goes back.'),
  metadata: Type.Optional(MetadataParameter),
});

export const RefundInput = Parameters({ metadata: Type.Optional(MetadataParameter) });

export const RefundOutput = Shown('Refund', 'refund', 'Money that goes back to a customer.', {
  amount: Whole('How much goes back, in the smallest unit of the currency.'),
  currency: Currency,
  payment: Reference('payments', 'The id of the payment that is refunded.'),
  status: OneOf(
    refundStatuses,
    '`pending`: the outcome is not known yet. `succeeded`: the bank has accepted it, and may still return it. `failed`: the money stays with you.',
  ),
  reason: Type.Optional(
    OneOf(
      [...refundReasons, madeAtProcessor],
      'Why the money goes back; present when supplied. `made_at_processor`: it was made at the processor, and not here.',
    ),
  ),
  metadata: Type.Optional(MetadataShape),
  failure_reason: MaybeText("Why it failed: the processor's own code, or `processing_error`."),
  created: Moment('When it was created, by the test clock of the customer if it has one.'),
});

export const serializeRefund = serializer<Refund, typeof RefundOutput>(RefundOutput, { created: timeByClock });

export const refundEvent = eventsAbout<keyof typeof refundEvents, Refund>(serializeRefund);
