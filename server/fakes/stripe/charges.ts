import { randomText } from '../books.ts';
import { chargeFee, move } from './balance.ts';
import type { FakeDecline } from './declines.ts';
import { listOf, listParams } from './lists.ts';
import { type FakeEndpoint, retrieval } from './route.ts';
import type { FakeCharge, FakeIntent, FakePaymentMethod, FakeRefund } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/charges';

export const chargeEndpoints: readonly FakeEndpoint[] = [
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'payment_intent', 'customer');
      const [intent, customer] = [params.text('payment_intent'), params.text('customer')];
      return listOf(
        path,
        params,
        world.all<FakeCharge>('charge'),
        (charge) =>
          (intent === undefined || charge.payment_intent === intent) &&
          (customer === undefined || charge.customer === customer),
      );
    },
  },
  retrieval<FakeCharge>('charge', path),
];

const approvedOutcome: FakeCharge['outcome'] = {
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  seller_message: 'Payment complete.',
  type: 'authorized',
};

/** An authorization by the issuer, or its refusal. Nothing is captured yet. */
export function addCharge(
  world: FakeWorld,
  intent: FakeIntent,
  method: FakePaymentMethod,
  decline?: FakeDecline,
): FakeCharge {
  const { amount, currency, customer, description, metadata, receipt_email } = intent;
  const isDeclined = decline !== undefined;
  return world.add<FakeCharge>({
    id: world.newId('ch'),
    object: 'charge',
    amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'FAKE STRIPE',
    captured: false,
    created: world.seconds(),
    currency,
    customer,
    description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: world.settings.livemode,
    metadata: { ...metadata },
    on_behalf_of: null,
    outcome: isDeclined ? declinedOutcome(decline) : approvedOutcome,
    paid: !isDeclined,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetails(method, isDeclined), type: 'card' },
    receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: isDeclined ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  });
}

function declinedOutcome({ decline_code }: FakeDecline): FakeCharge['outcome'] {
  const isBlocked = decline_code === 'fraudulent';
  return {
    network_status: isBlocked ? 'not_sent_to_network' : 'declined_by_network',
    reason: isBlocked ? 'highest_risk_level' : decline_code,
    risk_level: isBlocked ? 'highest' : 'normal',
    seller_message: 'The payment did not succeed.',
    type: isBlocked ? 'blocked' : 'issuer_declined',
  };
}

function cardDetails({ card }: FakePaymentMethod, isDeclined: boolean): FakeCharge['payment_method_details']['card'] {
  const { brand, country, exp_month, exp_year, fingerprint, funding, last4 } = card;
  return {
    ...(isDeclined ? {} : { authorization_code: randomText(6).toUpperCase() }),
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country,
    exp_month,
    exp_year,
    fingerprint,
    funding,
    installments: null,
    last4,
    mandate: null,
    network: brand,
    network_transaction_id: randomText(15).toUpperCase(),
    three_d_secure: null,
    wallet: null,
  };
}

/** Takes the money of an authorization. Stripe books all that was held, and books back what was not captured. */
export function captureCharge(world: FakeWorld, charge: FakeCharge, amount: number): void {
  const { currency } = charge;
  charge.captured = true;
  charge.amount_captured = amount;
  charge.balance_transaction = move(world, {
    amount: charge.amount,
    currency,
    source: charge.id,
    fee: chargeFee(charge.amount),
    isPending: isPending(world, charge),
    type: 'charge',
    reporting_category: 'charge',
  }).id;
}

/** The part that was not captured, with its share of the fee. */
export function takeBack(world: FakeWorld, charge: FakeCharge, release: FakeRefund): void {
  const { amount_captured, amount, currency } = charge;
  release.balance_transaction = move(world, {
    amount: -release.amount,
    currency,
    source: release.id,
    fee: chargeFee(amount_captured) - chargeFee(amount),
    isPending: isPending(world, charge),
    type: 'refund',
    reporting_category: 'partial_capture_reversal',
  }).id;
}

function isPending(world: FakeWorld, { payment_method }: FakeCharge): boolean {
  return !world.behaviours.get(payment_method)?.bypassesPending;
}
