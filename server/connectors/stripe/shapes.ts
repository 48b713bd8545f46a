/** The parts of Stripe's objects that are read here. A reader returns undefined for what is not such an object: it is never trusted. */

export type StripeObject = Readonly<Record<string, unknown>>;

export type StripeError = {
  type: string;
  code?: string;
  declineCode?: string;
  adviceCode?: string;
  message?: string;
  param?: string;
  /** The state of the intent that the refused request was about. */
  intent?: StripeIntent;
  setupIntent?: StripeSetupIntent;
  /** The card that was declined. */
  used?: StripeUsed;
};

export type StripeIntent = {
  id: string;
  status: string;
  amount: number;
  amountReceived: number;
  /** Whether the amount is captured on its own. */
  isManual: boolean;
  currency: string;
  metadata: Readonly<Record<string, string>>;
  cancellationReason: string | undefined;
  /** Where the cardholder has to go. */
  redirectUrl: string | undefined;
  lastError: StripeError | undefined;
  charge: StripeCharge | undefined;
  keeps: StripeKeeping | undefined;
};

/** The method that is kept for later charges once the intent has succeeded, and the customer that it belongs to. */
export type StripeKeeping = { customer: string; method: string };

export type StripeSetupIntent = {
  id: string;
  status: string;
  metadata: Readonly<Record<string, string>>;
  /** Where the cardholder has to go. */
  redirectUrl: string | undefined;
  lastError: StripeError | undefined;
  keeps: StripeKeeping | undefined;
  /** Where the method was asked for. */
  used: StripeUsed | undefined;
};

/** The card that was used, and the wallet that it came from. */
export type StripeUsed = StripeCard & { wallet?: string };

export type StripeCard = { brand: string; last4: string; expMonth: number; expYear: number };

/** The traces of a card network in a charge. */
export type StripeCharge = {
  networkTransactionId: string | undefined;
  authorizationCode: string | undefined;
  addressCheck: string | undefined;
  cvcCheck: string | undefined;
  used: StripeUsed | undefined;
};

export type StripeRefund = {
  id: string;
  status: string;
  amount: number;
  currency: string;
  metadata: Readonly<Record<string, string>>;
  failureReason: string | undefined;
  /** The intent whose payment is refunded, where it was asked for. */
  intent: StripeIntent | undefined;
  /** The reporting category of its balance transaction, where that was asked for. */
  category: string | undefined;
};

export type StripeDispute = {
  id: string;
  status: string;
  amount: number;
  currency: string;
  reason: string;
  /** In epoch seconds. */
  dueBy: number | undefined;
  submissions: number;
  metadata: Readonly<Record<string, string>>;
  /** Of the intent whose payment is disputed. */
  intentMetadata: Readonly<Record<string, string>>;
};

export function objectOf(value: unknown): StripeObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as StripeObject) : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

export function metadataOf(object: StripeObject | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(objectOf(object?.metadata) ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** A member that may be expanded into an object. */
export function expanded(object: StripeObject, member: string): StripeObject | undefined {
  return objectOf(object[member]);
}

export function errorOf(body: unknown): StripeError | undefined {
  const error = objectOf(objectOf(body)?.error) ?? undefined;
  return error === undefined ? undefined : errorIn(error);
}

const messageCharsMax = 500;
/** Numbers of cards and keys. Stripe masks them in its messages, which are stored and shown. */
const confidential = /\b\d(?:[ -]?\d){11,18}|\b(?:sk|rk|whsec)_\w+/g;

function errorIn(error: StripeObject): StripeError | undefined {
  const type = textOf(error.type);
  if (type === undefined) return undefined;
  const [intent, setupIntent] = [intentOf(error.payment_intent), setupIntentOf(error.setup_intent)];
  const texts = {
    code: textOf(error.code),
    declineCode: textOf(error.decline_code),
    adviceCode: textOf(error.advice_code),
    message: textOf(error.message)?.slice(0, messageCharsMax).replaceAll(confidential, '…'),
    param: textOf(error.param),
  };
  const told = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
  const used = usedIn(objectOf(objectOf(error.payment_method)?.card));
  return { type, ...told, ...(intent && { intent }), ...(setupIntent && { setupIntent }), ...(used && { used }) };
}

export function intentOf(value: unknown): StripeIntent | undefined {
  const object = objectOf(value);
  const [id, status, currency] = [textOf(object?.id), textOf(object?.status), textOf(object?.currency)];
  const amount = numberOf(object?.amount);
  if (object?.object !== 'payment_intent') return undefined;
  if (id === undefined || status === undefined || currency === undefined || amount === undefined) return undefined;
  const lastError = objectOf(object.last_payment_error);
  return {
    id,
    status,
    amount,
    amountReceived: numberOf(object.amount_received) ?? 0,
    isManual: object.capture_method === 'manual',
    currency,
    metadata: metadataOf(object),
    cancellationReason: textOf(object.cancellation_reason),
    redirectUrl: redirectUrlOf(object),
    lastError: lastError && errorIn(lastError),
    charge: chargeOf(object),
    keeps: object.setup_future_usage === 'off_session' ? keepingOf(object) : undefined,
  };
}

export function setupIntentOf(value: unknown): StripeSetupIntent | undefined {
  const object = objectOf(value);
  const [id, status] = [textOf(object?.id), textOf(object?.status)];
  if (object?.object !== 'setup_intent' || id === undefined || status === undefined) return undefined;
  const lastError = objectOf(object.last_setup_error);
  return {
    id,
    status,
    metadata: metadataOf(object),
    redirectUrl: redirectUrlOf(object),
    lastError: lastError && errorIn(lastError),
    keeps: keepingOf(object),
    used: usedIn(objectOf(expanded(object, 'payment_method')?.card)),
  };
}

function keepingOf(intent: StripeObject): StripeKeeping | undefined {
  const [customer, method] = [idOf(intent.customer), idOf(intent.payment_method)];
  return customer === undefined || method === undefined ? undefined : { customer, method };
}

/** The id of an object that may be expanded. */
export function idOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(objectOf(value)?.id);
}

function usedIn(card: StripeObject | undefined): StripeUsed | undefined {
  const used = cardOf(card);
  const wallet = textOf(objectOf(card?.wallet)?.type);
  return used && { ...used, ...(wallet === undefined ? {} : { wallet }) };
}

/** The brands that the gateway knows have the same names at Stripe. */
const brands = new Set(['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay']);

/** A card, as payment methods and charges show it. */
export function cardOf(card: StripeObject | undefined): StripeCard | undefined {
  const [expMonth, expYear, last4] = [numberOf(card?.exp_month), numberOf(card?.exp_year), textOf(card?.last4)];
  if (expMonth === undefined || expYear === undefined || last4 === undefined) return undefined;
  const brand = textOf(card?.brand) ?? '';
  return { brand: brands.has(brand) ? brand : 'unknown', last4, expMonth, expYear };
}

function redirectUrlOf(intent: StripeObject): string | undefined {
  return textOf(objectOf(objectOf(intent.next_action)?.redirect_to_url)?.url);
}

function chargeOf(intent: StripeObject): StripeCharge | undefined {
  const card = objectOf(objectOf(expanded(intent, 'latest_charge')?.payment_method_details)?.card);
  if (card === undefined) return undefined;
  const checks = objectOf(card.checks);
  return {
    networkTransactionId: textOf(card.network_transaction_id),
    authorizationCode: textOf(card.authorization_code),
    addressCheck: textOf(checks?.address_line1_check),
    cvcCheck: textOf(checks?.cvc_check),
    used: usedIn(card),
  };
}

export function refundOf(value: unknown): StripeRefund | undefined {
  const object = objectOf(value);
  const [id, status, currency] = [textOf(object?.id), textOf(object?.status), textOf(object?.currency)];
  const amount = numberOf(object?.amount);
  if (object?.object !== 'refund') return undefined;
  if (id === undefined || status === undefined || currency === undefined || amount === undefined) return undefined;
  return {
    id,
    status,
    amount,
    currency,
    metadata: metadataOf(object),
    failureReason: textOf(object.failure_reason),
    intent: intentOf(object.payment_intent),
    category: textOf(expanded(object, 'balance_transaction')?.reporting_category),
  };
}

export function disputeOf(value: unknown): StripeDispute | undefined {
  const object = objectOf(value);
  const [id, status, currency] = [textOf(object?.id), textOf(object?.status), textOf(object?.currency)];
  const amount = numberOf(object?.amount);
  if (object?.object !== 'dispute') return undefined;
  if (id === undefined || status === undefined || currency === undefined || amount === undefined) return undefined;
  const details = objectOf(object.evidence_details);
  return {
    id,
    status,
    amount,
    currency,
    reason: textOf(object.reason) ?? 'general',
    dueBy: numberOf(details?.due_by),
    submissions: numberOf(details?.submission_count) ?? 0,
    metadata: metadataOf(object),
    intentMetadata: metadataOf(expanded(object, 'payment_intent')),
  };
}

/** The objects of a page, and whether more follow. */
export function pageOf(value: unknown): { data: StripeObject[]; hasMore: boolean } | undefined {
  const object = objectOf(value);
  if (!Array.isArray(object?.data)) return undefined;
  const data = object.data.flatMap((one: unknown): StripeObject[] =>
    [objectOf(one)].filter((each) => each !== undefined),
  );
  return { data, hasMore: object.has_more === true };
}
