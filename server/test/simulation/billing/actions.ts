import type { CardModel, CouponModel, PriceModel, Proration } from './state.ts';

export type ItemChange =
  | { kind: 'add'; price: PriceModel; quantity: number }
  | { kind: 'set'; item: string; quantity?: number; price?: PriceModel }
  | { kind: 'remove'; item: string };

/** What a merchant does at one moment. Customers and subscriptions go by keys of the model, items of a subscription by their price. */
export type BillingAction =
  | {
      kind: 'subscribe';
      customer: string;
      subscription: string;
      items: { price: PriceModel; quantity: number }[];
      card?: CardModel;
      trialDays?: number;
      anchor?: number;
      coupon?: CouponModel;
      endsWithPeriod?: boolean;
    }
  | {
      kind: 'change';
      subscription: string;
      changes: ItemChange[];
      proration: Proration;
      from?: number;
      /** The change is made only if its payment is. It changes nothing for a card that pays. */
      paysFirst?: boolean;
    }
  | { kind: 'card_of_customer'; customer: string; card: CardModel }
  | { kind: 'card_of_subscription'; subscription: string; card: CardModel }
  | { kind: 'coupon'; subscription: string; coupon?: CouponModel }
  | { kind: 'trial_end'; subscription: string; end?: number }
  | { kind: 'cancel_later'; subscription: string; isUndone?: boolean }
  | { kind: 'cancel'; subscription: string; isCredited: boolean }
  | { kind: 'pause' | 'resume'; subscription: string }
  | { kind: 'item'; customer: string; amount: number; currency: string; subscription?: string }
  | { kind: 'draft'; customer: string; currency: string }
  | { kind: 'pay'; invoice: string; card?: CardModel }
  | { kind: 'refund'; invoice: string; amount: number }
  | { kind: 'finalize' | 'void' | 'mark_uncollectible'; invoice: string };

/** The answer to an action: a refusal with its status and code, or nothing. */
export type RefusalModel = { status: number; code: string; message?: string } | undefined;
