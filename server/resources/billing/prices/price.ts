import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Metadata } from '../../../operations/metadata.ts';

export type PriceId = Id<'price'>;

export const priceEvents = {
  'price.created': 'A price was created.',
  'price.updated': 'A price was changed; not if an update changed nothing.',
} as const;

export const priceIntervals = ['day', 'week', 'month', 'year'] as const;
export type PriceInterval = (typeof priceIntervals)[number];

/** A period is three years at most. */
export const intervalCountMax: Readonly<Record<PriceInterval, number>> = { day: 1_095, week: 156, month: 36, year: 3 };

/** An amount that is paid once, or recurs. Amount, currency and interval never change: a customer who has agreed to a price keeps it. */
export type Price = {
  tenant: Tenant;
  id: PriceId;
  version: number;
  /** An inactive price sells nothing new. */
  active: boolean;
  currency: string;
  /** Of one, in the smallest unit of the currency; 0 is allowed. */
  unit_amount: number;
  /** A period is `interval_count` intervals long. Null, both of them: it is paid once. */
  interval: PriceInterval | null;
  interval_count: number | null;
  product_name: string;
  /** Its id in another system. */
  external_id: string | null;
  /** Null: never supplied. */
  metadata: Metadata | null;
};

/** What a subscription's items need. */
export type RecurringPrice = Price & { interval: PriceInterval; interval_count: number };

export function isRecurring(price: Price): price is RecurringPrice {
  return price.interval !== null;
}
