import { metadataOf, numberOf, objectOf, type StripeObject, textOf } from '../../connectors/stripe/shapes.ts';

/** What the import reads of Stripe's objects. Members that decide whether something fits are read strictly: a wrong type fits nothing. */

type StripeMetadata = Readonly<Record<string, string>>;

export type StripeCustomer = {
  id: string;
  email: string | undefined;
  name: string | undefined;
  phone: string | undefined;
  metadata: StripeMetadata;
  /** What its invoices are charged to. */
  defaultMethod: string | undefined;
  /** Below 0: what Stripe owes the customer. Of several currencies, 0 only if it is 0 in all. */
  balance: number;
  hasDiscount: boolean;
};

export type StripeMethod = {
  id: string;
  type: string;
  billing: { name: string | undefined; email: string | undefined; address: Readonly<Record<string, string>> };
};

export type StripePrice = {
  id: string;
  active: boolean;
  isTiered: boolean;
  isMetered: boolean;
  /** Packages of several, or an amount that the customer chooses. */
  isComputed: boolean;
  currency: string;
  /** Of whole units; undefined where it has a fraction. */
  unitAmount: number | undefined;
  recurring: { interval: string; interval_count: number } | undefined;
  productName: string | undefined;
  metadata: StripeMetadata;
};

export type StripeCoupon = {
  id: string;
  percentOff: number | undefined;
  amountOff: number | undefined;
  currency: string | undefined;
  duration: string;
  months: number | undefined;
  name: string | undefined;
  metadata: StripeMetadata;
  isValid: boolean;
  isLimited: boolean;
  /** It applies to some products only. */
  isPartial: boolean;
};

export type StripeSubscription = {
  id: string;
  customer: string;
  status: string;
  currency: string;
  items: { price: StripePrice; quantity: number | undefined; periodEnd: number | undefined }[];
  hasMoreItems: boolean;
  periodStart: number | undefined;
  periodEnd: number | undefined;
  trialEnd: number | undefined;
  anchor: number | undefined;
  cancelsAtPeriodEnd: boolean;
  cancelAt: number | undefined;
  isPaused: boolean;
  isScheduled: boolean;
  isInvoiced: boolean;
  isTaxed: boolean;
  isForPlatform: boolean;
  isPending: boolean;
  /** Those of the subscription itself. */
  coupons: (StripeCoupon | undefined)[];
  hasItemDiscounts: boolean;
  method: string | undefined;
  metadata: StripeMetadata;
};

/** The id of a member, which Stripe shows as an id or as the object. */
function idOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(objectOf(value)?.id);
}

export function readCustomer(object: StripeObject): StripeCustomer {
  const balances = Object.values(objectOf(object.invoice_credit_balance) ?? {});
  return {
    id: textOf(object.id)!,
    email: textOf(object.email),
    name: textOf(object.name),
    phone: textOf(object.phone),
    metadata: metadataOf(object),
    defaultMethod: idOf(objectOf(object.invoice_settings)?.default_payment_method) ?? idOf(object.default_source),
    balance: numberOf(object.balance) || balances.map(numberOf).find((balance) => balance !== 0) || 0,
    hasDiscount: objectOf(object.discount) !== undefined,
  };
}

export function readMethod(object: StripeObject): StripeMethod {
  const billing = objectOf(object.billing_details);
  const address = Object.entries(objectOf(billing?.address) ?? {});
  const parts = address.filter((part): part is [string, string] => typeof part[1] === 'string' && part[1] !== '');
  return {
    id: textOf(object.id)!,
    type: textOf(object.type) ?? 'unknown',
    billing: { name: textOf(billing?.name), email: textOf(billing?.email), address: Object.fromEntries(parts) },
  };
}

export function readPrice(object: StripeObject): StripePrice {
  const recurring = objectOf(object.recurring);
  const interval = textOf(recurring?.interval);
  const product = objectOf(object.product);
  return {
    id: textOf(object.id)!,
    active: object.active === true,
    isTiered: object.billing_scheme !== 'per_unit',
    isMetered: recurring !== undefined && recurring.usage_type !== 'licensed',
    isComputed: isPresent(object.transform_quantity) || isPresent(object.custom_unit_amount),
    currency: textOf(object.currency) ?? '',
    unitAmount: numberOf(object.unit_amount),
    recurring:
      interval === undefined ? undefined : { interval, interval_count: numberOf(recurring?.interval_count) ?? 1 },
    productName: textOf(product?.name) ?? textOf(object.nickname),
    metadata: metadataOf(object),
  };
}

export function readCoupon(object: StripeObject): StripeCoupon {
  return {
    id: textOf(object.id)!,
    percentOff: typeof object.percent_off === 'number' ? object.percent_off : undefined,
    amountOff: numberOf(object.amount_off),
    currency: textOf(object.currency),
    duration: textOf(object.duration) ?? '',
    months: numberOf(object.duration_in_months),
    name: textOf(object.name),
    metadata: metadataOf(object),
    isValid: object.valid === true,
    isLimited: isPresent(object.max_redemptions) || isPresent(object.redeem_by),
    isPartial: isPresent(object.applies_to),
  };
}

/** The period is a member of the items since the version 2025-03-31, and one of the subscription before. */
export function readSubscription(object: StripeObject): StripeSubscription {
  const list = objectOf(object.items);
  const rows = arrayOf(list?.data).map((one): StripeObject => objectOf(one) ?? {});
  const own = numberOf(object.current_period_end);
  const items = rows.map((item) => ({
    price: readPrice(objectOf(item.price) ?? {}),
    quantity: numberOf(item.quantity),
    periodEnd: numberOf(item.current_period_end) ?? own,
  }));
  const discounts = [...arrayOf(object.discounts), ...(isPresent(object.discount) ? [object.discount] : [])];
  return {
    id: textOf(object.id)!,
    customer: idOf(object.customer) ?? '',
    status: textOf(object.status) ?? '',
    currency: textOf(object.currency) ?? '',
    items,
    hasMoreItems: list?.has_more === true,
    periodStart: numberOf(object.current_period_start) ?? numberOf(rows[0]?.current_period_start),
    periodEnd: own ?? items[0]?.periodEnd,
    trialEnd: numberOf(object.trial_end),
    anchor: numberOf(object.billing_cycle_anchor),
    cancelsAtPeriodEnd: object.cancel_at_period_end === true,
    cancelAt: numberOf(object.cancel_at),
    isPaused: isPresent(object.pause_collection),
    isScheduled: isPresent(object.schedule) || arrayOf(object.billing_schedules).length > 0,
    isInvoiced: object.collection_method !== 'charge_automatically',
    isTaxed:
      objectOf(object.automatic_tax)?.enabled === true ||
      arrayOf(object.default_tax_rates).length > 0 ||
      rows.some((item) => arrayOf(item.tax_rates).length > 0),
    isForPlatform: ['application_fee_percent', 'transfer_data', 'on_behalf_of'].some((name) => isPresent(object[name])),
    isPending: ['pending_update', 'billing_thresholds', 'pending_invoice_item_interval'].some((name) =>
      isPresent(object[name]),
    ),
    coupons: discounts.map(couponOf),
    hasItemDiscounts: rows.some((item) => arrayOf(item.discounts).length > 0),
    method: idOf(object.default_payment_method) ?? idOf(object.default_source),
    metadata: metadataOf(object),
  };
}

/** Of a discount, where Stripe has shown it. */
function couponOf(discount: unknown): StripeCoupon | undefined {
  const shown = objectOf(discount);
  const coupon = objectOf(objectOf(shown?.source)?.coupon) ?? objectOf(shown?.coupon);
  return coupon && readCoupon(coupon);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
