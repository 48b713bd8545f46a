import type Stripe from 'stripe';
import type { FakeErrorBody } from './errors.ts';

/** Stripe's objects as far as the fake fills them in, by the types of Stripe's own package, which is not needed to run it. */

/** Every object that can be asked for by its id. */
export type FakeObject = { id: string; object: string };

/** Every object that lists have. */
export type FakeListed = FakeObject & { created: number };

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

/** What a new payment method has beside its card. */
export type FakeMethodDetails = {
  billing?: FakeBilling;
  metadata?: FakeMetadata;
  expiry?: { month: number; year: number };
};

export type FakeCustomer = StoredFields<Stripe.Customer, 'invoice_settings'> & {
  invoice_settings: { default_payment_method: string | null };
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

export type FakeSetupIntent = StoredFields<
  Stripe.SetupIntent,
  | 'allowed_payment_method_types'
  | 'customer_account'
  | 'excluded_payment_method_types'
  | 'last_setup_error'
  | 'managed_payments'
  | 'payment_method_configuration_details'
  | 'payment_method_options'
> & {
  client_secret: string;
  last_setup_error: FakeErrorBody | null;
  metadata: FakeMetadata;
  payment_method_options: { card: IntentCardOptions };
};

export type FakeSetupAttempt = StoredFields<
  Stripe.SetupAttempt,
  'customer_account' | 'payment_method_details' | 'setup_error'
> & {
  payment_method_details: { card: Partial<Stripe.SetupAttempt.PaymentMethodDetails.Card>; type: 'card' };
  setup_error: FakeErrorBody | null;
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

export type FakePaymentMethodDomain = StoredFields<Stripe.PaymentMethodDomain>;

export type FakeConfirmationToken = StoredFields<
  Stripe.ConfirmationToken,
  'mandate_data' | 'metadata' | 'payment_method_preview'
> & {
  payment_method_preview: Pick<FakePaymentMethod, 'billing_details' | 'card' | 'customer' | 'type'>;
};

type LeftOutOfCheckoutSessions =
  | 'adaptive_pricing'
  | 'allowed_payment_method_types'
  | 'branding_settings'
  | 'client_secret'
  | 'collected_information'
  | 'customer_account'
  | 'customer_details'
  | 'discounts'
  | 'integration_identifier'
  | 'managed_payments'
  | 'name_collection'
  | 'optional_items'
  | 'origin_context'
  | 'payment_method_configuration_details'
  | 'payment_method_options'
  | 'permissions'
  | 'presentment_details'
  | 'saved_payment_method_options'
  | 'wallet_options';

export type FakeCheckoutSession = StoredFields<Stripe.Checkout.Session, LeftOutOfCheckoutSessions> & {
  customer_details: Pick<
    Stripe.Checkout.Session.CustomerDetails,
    'address' | 'email' | 'name' | 'phone' | 'tax_exempt' | 'tax_ids'
  > | null;
  metadata: FakeMetadata;
  mode: 'payment' | 'setup';
  payment_method_options: { card: IntentCardOptions };
  status: 'open' | 'complete' | 'expired';
  success_url: string;
};

export type FakeProduct = StoredFields<Stripe.Product, 'marketing_features' | 'tax_details' | 'type'>;

export type FakePrice = StoredFields<
  Stripe.Price,
  'currency_options' | 'custom_unit_amount' | 'recurring' | 'tiers' | 'unit_amount_decimal'
> & {
  custom_unit_amount: null;
  product: string;
  recurring: Pick<Stripe.Price.Recurring, 'interval' | 'interval_count' | 'usage_type'> | null;
  unit_amount_decimal: string | null;
};

export type FakeCoupon = StoredFields<Stripe.Coupon, 'currency_options'>;

export type FakeDiscount = StoredFields<Stripe.Discount, 'customer_account' | 'source' | 'subscription_item'> & {
  source: { coupon: string; type: 'coupon' };
};

export type FakeSubscriptionItem = Pick<
  StoredFields<Stripe.SubscriptionItem>,
  | 'id'
  | 'object'
  | 'created'
  | 'current_period_end'
  | 'current_period_start'
  | 'discounts'
  | 'metadata'
  | 'subscription'
> & { billing_thresholds: null; price: FakePrice; quantity: number; tax_rates: [] };

type LeftOutOfSubscriptions =
  | 'automatic_tax'
  | 'billing_cycle_anchor_config'
  | 'billing_mode'
  | 'billing_schedules'
  | 'cancellation_details'
  | 'customer_account'
  | 'discounts'
  | 'invoice_settings'
  | 'items'
  | 'managed_payments'
  | 'payment_settings'
  | 'presentment_details'
  | 'status_details'
  | 'trial_settings';

export type FakeSubscription = StoredFields<Stripe.Subscription, LeftOutOfSubscriptions> & {
  automatic_tax: { enabled: boolean };
  cancellation_details: Pick<Stripe.Subscription.CancellationDetails, 'comment' | 'feedback' | 'reason'>;
  customer: string;
  discounts: string[];
  items: { object: 'list'; data: FakeSubscriptionItem[]; has_more: false; url: string };
};
