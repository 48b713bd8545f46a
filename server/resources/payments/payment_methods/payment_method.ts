import { createdSeconds, type Id } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { AttemptId, ProcessorAccountId } from '../../../connectors/contract.ts';
import { changeMetadata, type Metadata } from '../../../operations/metadata.ts';
import type { Input } from '../../../operations/operation.ts';
import type { Brand } from '../../../vault/index.ts';
import type { TestClockId } from '../test_clocks/test_clock.ts';
import type { PaymentMethodInput } from './schema.ts';

export type PaymentMethodId = Id<'pm'>;

export const paymentMethodEvents = {
  'payment_method.attached': 'A payment method was attached to a customer, or created with one.',
  'payment_method.detached': 'A payment method was detached, also by the deletion of its customer.',
  'payment_method.updated':
    'A payment method was changed. If only the address changed, which is not shown, `previous_attributes` is empty.',
} as const;

export type BillingAddress = Readonly<Record<string, string>>;
/** As supplied. The address is for the processor; the API does not show it. */
export type Billing = { name?: string; email?: string; address?: BillingAddress };

export type PaymentMethod = Leasable & {
  id: PaymentMethodId;
  customer: Id<'cus'> | null;
  /** Can never be charged or attached again. */
  detached: boolean;
  /** The customer it was detached from. The cardholder's data is erased when that customer is deleted. */
  detached_from: Id<'cus'> | null;
  brand: Brand;
  last4: string;
  exp_month: number;
  exp_year: number;
  billing: Billing;
  /** Null: never supplied. */
  metadata: Metadata | null;
  /** The processor account that keeps the card, whose token is in the vault; null: the number is in the vault. */
  processor_account: ProcessorAccountId | null;
  /** The processor's own name for the customer that the card is attached to there. Without one it can be charged once. */
  processor_customer: string | null;
  /** The test clock of the customer that it is attached to. */
  test_clock: TestClockId | null;
  /** The attempt that has used a token which can be charged once, unless it was not sent. */
  token_attempt: AttemptId | null;
  /** Of a detached one: since when its processor is asked to delete the customer that was made for the card. */
  forget_since: Date | null;
  /** Since when a person has to see to what is left at the processor. Still due: it could not be deleted so far. */
  left_since: Date | null;
};

/** What a method knows of its card, and of who keeps the card. */
export type CardFacts = Pick<
  PaymentMethod,
  'brand' | 'last4' | 'exp_month' | 'exp_year' | 'processor_account' | 'processor_customer' | 'token_attempt'
>;

/** Of a card whose number is in the vault. */
export const notAToken = { processor_account: null, processor_customer: null, token_attempt: null };

type PaymentMethodChange = Input<typeof PaymentMethodInput, 'clear'>;

export function changePaymentMethod(before: PaymentMethod, change: PaymentMethodChange): PaymentMethod {
  return {
    ...before,
    version: before.version + 1,
    exp_month: change.card?.exp_month ?? before.exp_month,
    exp_year: change.card?.exp_year ?? before.exp_year,
    billing: mergeBilling(before.billing, change.billing_details),
    metadata: changeMetadata(before.metadata, change.metadata),
  };
}

/** Merges member by member, like metadata: members that are not named stay. Null in place of the object removes all members. */
function mergeBilling(before: Billing, change: PaymentMethodChange['billing_details']): Billing {
  if (change === undefined) return before;
  if (change === null) return {};
  const { address, ...own } = change;
  const merged = { ...before, ...own };
  const whole = address === undefined ? merged : { ...merged, address: address && { ...before.address, ...address } };
  return withoutNulls(whole) as Billing;
}

/** Undefined when it is empty. */
function emptied(values: object): object | undefined {
  const left = withoutNulls(values);
  return Object.keys(left).length === 0 ? undefined : left;
}

function withoutNulls(values: object): object {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value !== null && typeof value === 'object' ? emptied(value) : value])
      .filter(([, value]) => value !== null && value !== undefined),
  );
}

/** `due`: when the job checks whether the number can be destroyed. */
export function detached(before: PaymentMethod, due: Date): PaymentMethod {
  const place = { customer: null, test_clock: null, detached: true, detached_from: before.customer };
  return { ...before, ...place, version: before.version + 1, due_at: due, lease_until: null };
}

/** The method without the cardholder's data. */
export function withoutBilling(before: PaymentMethod): PaymentMethod {
  return { ...before, version: before.version + 1, detached_from: null, billing: {} };
}

export function serializePaymentMethod(method: PaymentMethod): object {
  const { id, brand, last4, exp_month, exp_year, billing, customer, metadata, processor_account } = method;
  return {
    id,
    object: 'payment_method',
    type: 'card',
    card: { brand, last4, exp_month, exp_year },
    billing_details: {
      ...(billing.name === undefined ? {} : { name: billing.name }),
      ...(billing.email === undefined ? {} : { email: billing.email }),
    },
    created: createdSeconds(id),
    ...(customer === null ? {} : { customer }),
    ...(metadata === null ? {} : { metadata }),
    ...(processor_account === null ? {} : { processor_token: { processor_account } }),
  };
}

/** A card is valid until the end of its month in the last time zone. */
export function hasExpired(card: { exp_month: number; exp_year: number }, now: number): boolean {
  return Date.UTC(card.exp_year, card.exp_month, 1) + lastTimeZoneMs <= now;
}

const lastTimeZoneMs = 12 * 3_600_000; // UTC-12
