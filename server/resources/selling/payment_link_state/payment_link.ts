import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Metadata } from '../../../operations/metadata.ts';

export type PaymentLinkId = Id<'plink'>;

export const paymentLinkEvents = {
  'payment_link.created': 'A payment link was created.',
  'payment_link.updated': 'A payment link was changed; not if an update changed nothing, nor by a sale.',
} as const;

export type QuantityBounds = { min: number; max: number };
export type AmountChoice = { min: number; max: number; suggested?: number[] };
/** A price, or a name with an amount of its own. */
export type LinkLine = { price?: string; name?: string; unit_amount?: number; currency?: string; quantity?: number };
export type LinkCollect = {
  name?: boolean;
  phone?: boolean;
  billing_address?: 'none' | 'country' | 'full';
  terms?: boolean;
};
/** What each subscription gets that is sold. */
export type LinkSubscriptionData = { trial_days?: number; metadata?: Metadata; coupon?: string };

/** What is sold, and how: that of the sessions that a link makes. */
export type LinkTerms = {
  mode: 'payment' | 'setup' | 'subscription';
  amount: number | null;
  currency: string | null;
  description: string | null;
  /** As they were supplied: a session reads what their prices say by then. */
  line_items: LinkLine[] | null;
  /** The customer chooses how many of the one line. */
  adjustable_quantity: QuantityBounds | null;
  /** The customer chooses the amount. */
  amount_choice: AmountChoice | null;
  save_payment_method: 'none' | 'offer' | 'require' | null;
  capture_method: 'automatic' | 'manual' | null;
  allow_coupons: boolean | null;
  subscription_data: LinkSubscriptionData | null;
  collect: LinkCollect | null;
  success_url: string | null;
  cancel_url: string | null;
  locale: string | null;
};

/** An address that sells the same thing to anybody. */
export type PaymentLink = LinkTerms & {
  tenant: Tenant;
  id: PaymentLinkId;
  version: number;
  /** An inactive link shows `inactive_message`, and sells nothing. */
  active: boolean;
  /** Stored, because it is shown with every link and depends on the root key. */
  url: string;
  /** How many sessions of it can be completed. Null: any number. */
  sales_limit: number | null;
  /** How many sessions of it were completed. */
  completed: number;
  inactive_message: string | null;
  metadata: Metadata | null;
};

/** What the customer has chosen, where the link leaves a choice. */
export type LinkChoice = { quantity?: number | undefined; amount?: number | undefined };

/** What a session of a link sells. */
export type SoldByLink = {
  mode: LinkTerms['mode'];
  amount?: number;
  currency?: string;
  description?: string;
  line_items?: LinkLine[];
};

/** What a choice is not: the parameter of the page that is wrong. */
export type WrongChoice = 'quantity' | 'amount';

/** What a session of the link sells; the wrong choice where the link does not allow it. */
export function soldWith(
  link: Pick<
    PaymentLink,
    'mode' | 'amount' | 'currency' | 'description' | 'line_items' | 'adjustable_quantity' | 'amount_choice'
  >,
  { quantity, amount }: LinkChoice,
): SoldByLink | WrongChoice {
  const { mode, adjustable_quantity: bounds, amount_choice: choice, line_items } = link;
  if (choice !== null && !isWithin(amount, choice)) return 'amount';
  if (bounds !== null && quantity !== undefined && !isWithin(quantity, bounds)) return 'quantity';
  if (line_items !== null) {
    const chosen = bounds !== null && quantity !== undefined ? { quantity } : {};
    return { mode, line_items: line_items.map((line) => ({ ...line, ...chosen })) };
  }
  const { currency, description } = link;
  return {
    mode,
    ...(mode !== 'setup' && { amount: choice === null ? link.amount! : amount! }),
    ...(currency !== null && { currency }),
    ...(description !== null && { description }),
  };
}

function isWithin(number: number | undefined, { min, max }: { min: number; max: number }): boolean {
  return number !== undefined && Number.isSafeInteger(number) && number >= min && number <= max;
}

/** Whether the link sells at this moment. Places that customers hold count as sold. */
export function isForSale(
  { active, sales_limit, completed }: Pick<PaymentLink, 'active' | 'sales_limit' | 'completed'>,
  held: number,
): boolean {
  return active && (sales_limit === null || completed + held < sales_limit);
}
