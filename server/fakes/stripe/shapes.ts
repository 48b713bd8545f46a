import type Stripe from 'stripe';
import type { FakeErrorBody } from './errors.ts';

/** Stripe's objects as far as the fake fills them in, by the types of Stripe's own package, which is not needed to run it. */

/** Every object that can be asked for by its id. */
export type FakeObject = { id: string; object: string; created: number };

export type FakeMetadata = Record<string, string>;

/** The members of an object without those that the fake leaves out. Where Stripe can show another object, it has the id. */
type StoredFields<T, LeftOut extends keyof T = never> = {
  [Name in keyof Omit<T, LeftOut>]: Unexpanded<Omit<T, LeftOut>[Name]>;
};
type Unexpanded<Value> = [string] extends [Value] ? Exclude<Value, { object: string }> : Value;

export type FakeBilling = StoredFields<Stripe.PaymentMethod.BillingDetails, 'tax_id'> & { address: Stripe.Address };

export type FakePaymentMethod = StoredFields<Stripe.PaymentMethod, 'billing_details' | 'card' | 'customer_account'> & {
  billing_details: FakeBilling;
  card: StoredFields<Stripe.PaymentMethod.Card, 'display_brand' | 'regulated_status'> & { fingerprint: string };
  metadata: FakeMetadata;
};

export type FakeCustomer = StoredFields<Stripe.Customer, 'invoice_settings'> & {
  name: string | null;
  phone: string | null;
};

type IntentCardOptions = Pick<Stripe.PaymentIntent.PaymentMethodOptions.Card, 'request_three_d_secure'>;

export type FakeIntent = StoredFields<
  Stripe.PaymentIntent,
  | 'allowed_payment_method_types'
  | 'customer_account'
  | 'excluded_payment_method_types'
  | 'last_payment_error'
  | 'managed_payments'
  | 'payment_method_configuration_details'
  | 'payment_method_options'
  | 'payment_record'
  | 'source'
> & {
  client_secret: string;
  last_payment_error: FakeErrorBody | null;
  payment_method_options: { card: IntentCardOptions };
};

export type FakeCharge = StoredFields<
  Stripe.Charge,
  'billing_details' | 'outcome' | 'payment_method_details' | 'source'
> & {
  billing_details: FakeBilling;
  outcome: StoredFields<Stripe.Charge.Outcome, 'advice_code' | 'network_advice_code' | 'network_decline_code'>;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { card: Partial<Stripe.Charge.PaymentMethodDetails.Card>; type: 'card' };
};

export type FakeRefund = StoredFields<Stripe.Refund, 'customer' | 'customer_account' | 'payment_method'> & {
  charge: string;
  metadata: FakeMetadata;
  payment_intent: string;
};

export type FakeDispute = StoredFields<
  Stripe.Dispute,
  'balance_transactions' | 'enhanced_eligibility_types' | 'evidence' | 'evidence_details' | 'intended_submission_method'
> & {
  balance_transactions: FakeBalanceTransaction[];
  evidence: Record<string, string | null>;
  evidence_details: StoredFields<Stripe.Dispute.EvidenceDetails, 'enhanced_eligibility' | 'submission_method'>;
  payment_intent: string;
};

export type FakeBalanceTransaction = StoredFields<Stripe.BalanceTransaction, 'balance_type'>;

type LeftOutOfPayouts = 'application_fee' | 'application_fee_amount' | 'payout_method' | 'trace_id';

export type FakePayout = StoredFields<Stripe.Payout, LeftOutOfPayouts> & { metadata: FakeMetadata };

export type FakeEvent = StoredFields<Stripe.EventBase>;

export type FakeWebhookEndpoint = StoredFields<Stripe.WebhookEndpoint>;
