import { Type } from '../../base/schema.ts';
import {
  IdParameter,
  MetadataParameter,
  MetadataShape,
  OptionalChoice,
  Parameters,
  Shown,
  Timestamp,
} from '../shapes.ts';
import { refundReasons, refundStatuses } from './refund.ts';

export const NewRefundInput = Parameters({
  payment: IdParameter('The payment to give back'),
  amount: Type.Optional(
    Type.Integer({ description: 'How much, in the smallest unit of the currency; all that is left when not given' }),
  ),
  reason: OptionalChoice(refundReasons, 'Why'),
  metadata: Type.Optional(MetadataParameter),
});

export const RefundInput = Parameters({ metadata: Type.Optional(MetadataParameter) });

export const RefundOutput = Shown('Refund', 'refund', {
  amount: Type.Integer(),
  currency: Type.String(),
  payment: Type.String(),
  status: Type.String({ enum: [...refundStatuses] }),
  reason: Type.Optional(Type.String()),
  metadata: Type.Optional(MetadataShape),
  failure_reason: Type.Optional(Type.String()),
  created: Timestamp,
});
