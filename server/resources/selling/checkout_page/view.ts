import type { Recurrence } from '../../../locales/formats.ts';

/** Who is paid, as the customer sees it. */
export type Merchant = {
  name: string;
  /** `path`: on this server. */
  logo?: { path: string; width: number; height: number } | undefined;
  /** Of the button, with the colour of the text on it. */
  colors?: { background: string; text: string } | undefined;
  supportEmail?: string | undefined;
  supportAddress?: string | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
};

export type OrderLine = {
  name: string;
  quantity: number;
  amount: number;
  /** Of a price that is charged again and again. */
  every?: Recurrence | undefined;
};

/** A card of the customer that is kept. */
export type SavedCard = { id: string; brand: string; last4: string; expMonth: number; expYear: number };

/** What the browser may load for the fields of a processor, and nothing else. */
export type FieldHost = { origin: string; use: 'script' | 'frame' | 'connect' | 'image'; reason: string };

/** How a card can be taken: in fields of ours, on the processor's page, or in the processor's fields with that page to fall back to. */
export type PayWay =
  | { kind: 'own' }
  | { kind: 'page'; origins?: readonly string[] }
  | {
      kind: 'fields';
      script: string;
      hosts: readonly FieldHost[];
      publicConfig: Readonly<Record<string, string>>;
    };

/** The browser never learns more of a decline. */
export type DeclineReason = 'declined' | 'expired' | 'wrong_code' | 'try_another';

export type LastTry =
  | { state: 'none' | 'confirming' }
  /** A challenge or the processor's page is open. */
  | { state: 'action'; goTo?: string | undefined }
  | { state: 'declined'; reason: DeclineReason };

export type Collected = {
  email?: boolean | undefined;
  name?: boolean | undefined;
  phone?: boolean | undefined;
  billingAddress?: 'none' | 'country' | 'full' | undefined;
  terms?: boolean | undefined;
};

/** Everything that the page shows of a session: nothing that the customer may not know. */
export type PageView = {
  merchant: Merchant;
  isTest: boolean;
  /** The account takes no payments now. */
  isSuspended?: boolean | undefined;
  mode: 'payment' | 'setup' | 'subscription';
  status: 'open' | 'processing' | 'complete' | 'expired';
  paymentStatus: 'unpaid' | 'authorized' | 'paid' | 'no_payment_required';
  currency?: string | undefined;
  total: number;
  subtotal?: number | undefined;
  discount?: number | undefined;
  /** The coupon that is applied, with the code that was typed where it is known. */
  coupon?: { code?: string | undefined } | undefined;
  description?: string | undefined;
  lines: readonly OrderLine[];
  /** Epoch milliseconds: the first charge of a subscription with a trial. */
  freeUntil?: number | undefined;
  locale?: string | undefined;
  collects: Collected;
  /** What the fields begin with. */
  details?: TypedValues | undefined;
  allowsCoupons: boolean;
  save: 'none' | 'offer' | 'require';
  /** Epoch milliseconds. */
  expiresAt: number;
  successUrl?: string | undefined;
  cancelUrl?: string | undefined;
  ways: readonly PayWay[];
  saved: readonly SavedCard[];
  lastTry: LastTry;
  receipt?: CheckoutReceipt | undefined;
};

export type CheckoutReceipt = {
  /** Epoch milliseconds. */
  paidAt: number;
  brand?: string | undefined;
  last4?: string | undefined;
  /** What was received: less than the total after a capture of a part. Undefined: nothing was to be paid, or is yet. */
  received?: number | undefined;
  refunded?: number | undefined;
  /** The order number of the shop, or the id of the payment. */
  reference: string;
};

/** The fields of the form. Their names are those of the posted values. */
export const fieldNames = [
  'email',
  'name',
  'phone',
  'country',
  'line1',
  'postal_code',
  'city',
  'number',
  'expiry',
  'cvc',
  'terms',
  'coupon',
] as const;

export type FieldName = (typeof fieldNames)[number];

/** What is wrong with a field: a key of the texts. */
export type ShownProblem = {
  field: FieldName;
  text: 'required' | 'invalid' | 'card_expired' | 'code_invalid' | 'try_another' | 'failed';
};

/** Typed values that are shown again. A card number or a code never is. */
export type TypedValues = Readonly<Partial<Record<Exclude<FieldName, 'number' | 'expiry' | 'cvc'>, string>>>;
