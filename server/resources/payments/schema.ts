import { Type } from '../../base/schema.ts';
import {
  CurrencyParameter,
  IdParameter,
  MetadataParameter,
  MetadataShape,
  OptionalChoice,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  Timestamp,
} from '../shapes.ts';
import { captureMethods, paymentStatuses } from './payment.ts';

const descriptionCharsMax = 1_000;
const description = Type.Optional(
  Personal({ maxLength: descriptionCharsMax, description: 'What the payment is for, up to 1,000 characters' }),
);
const amount = (text: string) => Type.Integer({ description: text });

export const NewPaymentInput = Parameters({
  amount: amount('In the smallest unit of the currency: 2000 is 20.00 euros'),
  currency: CurrencyParameter,
  payment_method: IdParameter('The payment method to charge'),
  customer: OptionalId('The customer the payment belongs to'),
  description,
  metadata: Type.Optional(MetadataParameter),
  capture_method: OptionalChoice(captureMethods, 'manual: only authorize now, and capture later'),
  return_url: Type.Optional(
    Type.String({ maxLength: 2_048, description: 'Where the cardholder comes back to after an authentication' }),
  ),
});

export const PaymentInput = Parameters({ description, metadata: Type.Optional(MetadataParameter) });

export const CaptureInput = Parameters({
  amount: Type.Optional(amount('How much to capture; the whole authorized amount when not given')),
});

export const CancelInput = Parameters({
  reason: OptionalChoice(
    ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'],
    'Why; kept as cancellation_reason',
  ),
});

const shown = {
  amount: Type.Integer(),
  amount_received: Type.Integer(),
  currency: Type.String(),
  customer: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  payment_method: Type.String(),
  status: Type.String({ enum: [...paymentStatuses] }),
  invoice: Type.Optional(Type.String()),
  metadata: Type.Optional(MetadataShape),
  capture_method: Type.Optional(Type.String({ enum: [...captureMethods] })),
  amount_capturable: Type.Optional(Type.Integer()),
  next_action: Type.Optional(
    Type.Object({
      type: Type.Literal('redirect_to_url'),
      redirect_to_url: Type.Object({ url: Type.String() }),
    }),
  ),
  failure_code: Type.Optional(Type.String()),
  failure_message: Type.Optional(Type.String()),
  canceled_at: Type.Optional(Timestamp),
  cancellation_reason: Type.Optional(Type.String()),
  amount_refunded: Type.Optional(Type.Integer()),
  dispute: Type.Optional(Type.String()),
  processor: Type.Optional(
    Type.Object({ account: Type.String(), connector: Type.String(), reference: Type.Optional(Type.String()) }),
  ),
};

export const PaymentOutput = Shown('Payment', 'payment', { ...shown, created: Timestamp });

/** Without `created`: the event has its own. */
export const PaymentInEvent = Shown('PaymentInEvent', 'payment', shown);
