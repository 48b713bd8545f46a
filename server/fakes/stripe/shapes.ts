/** Stripe's objects as far as the fake fills them in: only members that Stripe's own description of its API has. */

/** Every object that can be asked for by its id. */
export type FakeObject = { id: string; object: string; created: number };

export type FakeMetadata = Record<string, string>;

export type FakeAddress = Record<'city' | 'country' | 'line1' | 'line2' | 'postal_code' | 'state', string | null>;
export type FakeBilling = {
  address: FakeAddress;
  email: string | null;
  name: string | null;
  phone: string | null;
};

export type FakeCard = {
  brand: string;
  checks: Record<'address_line1_check' | 'address_postal_code_check' | 'cvc_check', string | null>;
  country: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  funding: string;
  generated_from: null;
  last4: string;
  networks: { available: string[]; preferred: null };
  three_d_secure_usage: { supported: boolean };
  wallet: null;
};

export type FakePaymentMethod = FakeObject & {
  object: 'payment_method';
  billing_details: FakeBilling;
  card: FakeCard;
  customer: string | null;
  livemode: boolean;
  metadata: FakeMetadata;
  type: 'card';
};

export type FakeCustomer = FakeObject & {
  object: 'customer';
  address: null;
  balance: number;
  currency: null;
  default_source: null;
  delinquent: boolean;
  description: string | null;
  email: string | null;
  livemode: boolean;
  metadata: FakeMetadata;
  name: string | null;
  phone: string | null;
  shipping: null;
};

export type FakeIntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled';

export type FakeNextAction =
  | { type: 'redirect_to_url'; redirect_to_url: { return_url: string; url: string } }
  | { type: 'use_stripe_sdk'; use_stripe_sdk: object };

export type FakeIntent = FakeObject & {
  object: 'payment_intent';
  amount: number;
  amount_capturable: number;
  amount_details: { tip: object };
  amount_received: number;
  application: null;
  application_fee_amount: null;
  automatic_payment_methods: null;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: 'automatic' | 'automatic_async' | 'manual';
  client_secret: string;
  confirmation_method: 'automatic';
  currency: string;
  customer: string | null;
  description: string | null;
  last_payment_error: object | null;
  latest_charge: string | null;
  livemode: boolean;
  metadata: FakeMetadata;
  next_action: FakeNextAction | null;
  on_behalf_of: null;
  payment_method: string | null;
  payment_method_options: { card: { request_three_d_secure: string } };
  payment_method_types: string[];
  processing: null;
  receipt_email: string | null;
  review: null;
  setup_future_usage: 'on_session' | 'off_session' | null;
  shipping: null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status: FakeIntentStatus;
  transfer_data: null;
  transfer_group: null;
};

export type FakeCharge = FakeObject & {
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  application: null;
  application_fee: null;
  application_fee_amount: null;
  balance_transaction: string | null;
  billing_details: FakeBilling;
  calculated_statement_descriptor: string;
  captured: boolean;
  currency: string;
  customer: string | null;
  description: string | null;
  disputed: boolean;
  failure_balance_transaction: null;
  failure_code: string | null;
  failure_message: string | null;
  fraud_details: object;
  livemode: boolean;
  metadata: FakeMetadata;
  on_behalf_of: null;
  outcome: Record<'network_status' | 'reason' | 'risk_level' | 'seller_message' | 'type', string | null>;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { card: object; type: 'card' };
  receipt_email: string | null;
  receipt_number: null;
  receipt_url: null;
  refunded: boolean;
  review: null;
  shipping: null;
  source_transfer: null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status: 'succeeded' | 'pending' | 'failed';
  transfer_data: null;
  transfer_group: null;
};

export type FakeRefund = FakeObject & {
  object: 'refund';
  amount: number;
  balance_transaction: string | null;
  charge: string;
  currency: string;
  failure_balance_transaction?: string;
  failure_reason?: string;
  metadata: FakeMetadata;
  payment_intent: string;
  reason: string | null;
  receipt_number: null;
  source_transfer_reversal: null;
  status: 'pending' | 'succeeded' | 'failed';
  transfer_reversal: null;
};

export type FakeDisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost';

export type FakeDispute = FakeObject & {
  object: 'dispute';
  amount: number;
  balance_transactions: FakeBalanceTransaction[];
  charge: string;
  currency: string;
  evidence: Record<string, string | null>;
  evidence_details: { due_by: number | null; has_evidence: boolean; past_due: boolean; submission_count: number };
  is_charge_refundable: boolean;
  livemode: boolean;
  metadata: FakeMetadata;
  payment_intent: string;
  reason: string;
  status: FakeDisputeStatus;
};

export type FakeBalanceTransaction = FakeObject & {
  object: 'balance_transaction';
  amount: number;
  available_on: number;
  currency: string;
  description: string | null;
  exchange_rate: null;
  fee: number;
  fee_details: { amount: number; application: null; currency: string; description: string; type: string }[];
  net: number;
  reporting_category: string;
  source: string;
  status: 'available' | 'pending';
  type: 'adjustment' | 'charge' | 'payout' | 'refund' | 'refund_failure';
};

export type FakePayout = FakeObject & {
  object: 'payout';
  amount: number;
  arrival_date: number;
  automatic: boolean;
  balance_transaction: string;
  currency: string;
  description: string | null;
  destination: null;
  failure_balance_transaction: null;
  failure_code: null;
  failure_message: null;
  livemode: boolean;
  metadata: FakeMetadata;
  method: 'standard';
  original_payout: null;
  reconciliation_status: 'completed' | 'not_applicable';
  reversed_by: null;
  source_type: 'card';
  statement_descriptor: null;
  status: 'pending' | 'in_transit' | 'paid';
  type: 'bank_account';
};

export type FakeEvent = FakeObject & {
  object: 'event';
  api_version: string;
  data: { object: object; previous_attributes?: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
};

export type FakeWebhookEndpoint = FakeObject & {
  object: 'webhook_endpoint';
  api_version: null;
  application: null;
  description: string | null;
  enabled_events: string[];
  livemode: boolean;
  metadata: FakeMetadata;
  status: 'enabled';
  url: string;
};
