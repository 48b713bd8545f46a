import { idTime } from '../../base/id.ts';
import type { Money } from '../../base/money.ts';
import type { AttemptId, RequestedPage } from '../contract.ts';
import type { StripeAnswer, StripeConversation, StripeUndone } from './conversation.ts';
import { inexpressible, isStripeId, keyMs } from './intents.ts';
import { listedIntent } from './listed.ts';
import {
  intentOf,
  metadataOf,
  numberOf,
  type StripeIntent,
  type StripeSetupIntent,
  setupIntentOf,
  textOf,
} from './shapes.ts';
import { toStripe } from './units.ts';
import type { StripeForm } from './wire.ts';

/** A Checkout Session of Stripe's: a page where a shopper pays, or saves a card. */
export type StripeSession = {
  id: string;
  status: string;
  url: string | undefined;
  /** In epoch seconds. */
  expiresAt: number;
  metadata: Readonly<Record<string, string>>;
  intent: StripeIntent | undefined;
  setup: StripeSetupIntent | undefined;
};

/** absent: Stripe has no such session. */
export type FoundPage =
  | { kind: 'session'; session: StripeSession; isRepeated?: boolean }
  | { kind: 'absent' }
  | StripeUndone;

/** What a page was asked for by, which its attempt can repeat at any time. A setup has no money. */
export type PageFacts = {
  attempt: AttemptId;
  about: { payment: string; money: Money; capture: boolean } | { setup: string };
  page: RequestedPage;
};

const expand = ['payment_intent.latest_charge', 'setup_intent.payment_method'];

export const isSessionId = (id: string | undefined): id is string => id?.startsWith('cs_') === true;

/**
 * Makes the session of an attempt, or returns the one that was made before, as it was then. It moves no money, and nobody can pay there
 * before the answer has told its address.
 */
export async function makeSession(talk: StripeConversation, facts: PageFacts): Promise<FoundPage> {
  const form = formOf(facts);
  if (form === undefined) return inexpressible;
  const made = await talk.postRepeatedly(['checkout', 'sessions'], form, facts.attempt);
  // Stripe refuses a text that does not fit the account's own, and leaves the key unused: then the page is made without it.
  const isUnfit = made.kind === 'refused' && made.error.param?.includes('statement_descriptor') === true;
  if (!isUnfit || facts.page.statementDescriptor === undefined) return found(made);
  return makeSession(talk, { ...facts, page: { ...facts.page, statementDescriptor: undefined } });
}

export async function getSession(talk: StripeConversation, id: string): Promise<FoundPage> {
  if (!isStripeId(id)) return { kind: 'absent' };
  const answer = await talk.get(['checkout', 'sessions', id], { expand });
  if (answer.kind === 'refused' && answer.status === 404) return { kind: 'absent' };
  const got = found(answer);
  return got.kind === 'session' && got.session.id !== id
    ? { kind: 'lost', reason: 'the answer is about another session' }
    : got;
}

/**
 * The session of an attempt as it is now. When its id was never learnt, it is asked for again with the same key, which returns the one that
 * exists. Sessions cannot be searched: once Stripe may have forgotten the key, or knows another request by it, they are listed.
 */
export async function sessionNow(
  talk: StripeConversation,
  facts: PageFacts,
  reference: string | undefined,
  now: number,
): Promise<FoundPage> {
  const { attempt } = facts;
  const got = reference === undefined ? await sessionByKey(talk, facts, now) : await getSession(talk, reference);
  const isOther = got.kind === 'session' && attemptOfSession(got.session) !== attempt;
  return isOther ? { kind: 'lost', reason: 'the session is about another attempt' } : got;
}

async function sessionByKey(talk: StripeConversation, facts: PageFacts, now: number): Promise<FoundPage> {
  const { attempt } = facts;
  if (now - idTime(attempt) > keyMs) return listed(talk, attempt);
  const made = await makeSession(talk, facts);
  if (made.kind === 'session') return getSession(talk, made.session.id);
  if (made.kind === 'mismatch' || made.kind === 'lost') return listed(talk, attempt);
  return made.kind === 'refused' ? { kind: 'absent' } : made; // what is refused was never made
}

export async function listed(talk: StripeConversation, attempt: AttemptId): Promise<FoundPage> {
  const one = await listedIntent(talk, ['checkout', 'sessions'], attempt);
  return one.kind === 'listed' ? getSession(talk, one.id) : one;
}

/** The attempt that a session is about, according to Stripe. */
export function attemptOfSession({ metadata }: StripeSession): AttemptId {
  return (metadata.tollgate_attempt ?? '') as AttemptId;
}

function found(answer: StripeAnswer): FoundPage {
  if (answer.kind !== 'done') return answer;
  const { object } = answer;
  const [id, status, expiresAt] = [textOf(object.id), textOf(object.status), numberOf(object.expires_at)];
  if (object.object !== 'checkout.session' || id === undefined || status === undefined || expiresAt === undefined)
    return { kind: 'lost', reason: 'an answer that is not understood' };
  const [intent, setup] = [intentOf(object.payment_intent), setupIntentOf(object.setup_intent)];
  const session = { id, status, url: textOf(object.url), expiresAt, metadata: metadataOf(object), intent, setup };
  return { kind: 'session', session, isRepeated: answer.isRepeated === true };
}

/** The cardholder chooses the method at Stripe, so that an answer names it. */
const chosenOnPage = { tollgate_method: 'page' };

/** Undefined where Stripe cannot express the money. */
function formOf({ attempt, about, page }: PageFacts): StripeForm | undefined {
  const { returnUrl, expiresAt, email, authentication, save } = page;
  const marks = {
    tollgate_attempt: attempt,
    ...('setup' in about ? { tollgate_setup: about.setup } : { tollgate_payment: about.payment }),
  };
  const common = {
    ui_mode: 'hosted_page',
    allowed_payment_method_types: ['card'],
    client_reference_id: attempt,
    metadata: marks,
    success_url: returnUrl,
    cancel_url: returnUrl,
    expires_at: Math.floor(expiresAt / 1_000),
    locale: localeOf(page.locale),
    ...(email?.includes('@') ? { customer_email: email } : {}),
    ...(authentication === 'always' ? alwaysAsked : {}),
  };
  if ('setup' in about)
    return {
      ...common,
      mode: 'setup',
      customer_creation: 'always',
      setup_intent_data: { metadata: { ...marks, ...chosenOnPage } },
    };
  const items = itemsOf(about.money, page.lines);
  if (items === undefined) return undefined;
  return {
    ...common,
    mode: 'payment',
    line_items: items,
    ...(save ? { customer_creation: 'always' } : {}),
    payment_intent_data: {
      capture_method: about.capture ? 'automatic' : 'manual',
      metadata: { ...marks, ...chosenOnPage },
      ...(save ? { setup_future_usage: 'off_session' } : {}),
      ...(page.statementDescriptor && { statement_descriptor_suffix: page.statementDescriptor }),
      ...(page.description && { description: page.description }),
    },
  };
}

/** Every cardholder is asked to authenticate, not only those whose bank wants it. */
export const alwaysAsked: StripeForm = { payment_method_options: { card: { request_three_d_secure: 'any' } } };

const nameMax = 250;
const linesMax = 100;

/** What is bought, where it adds up to the money. Otherwise, as with a coupon, one line has it all. */
function itemsOf(money: Money, lines: RequestedPage['lines']): StripeForm | undefined {
  const total = toStripe(money);
  if (total === undefined) return undefined;
  const { currency } = money;
  const item = (name: string, unit_amount: number, quantity: number) => ({
    price_data: { currency, unit_amount, product_data: { name: name.slice(0, nameMax) } },
    quantity,
  });
  const items = lines.map(({ name, quantity, amount }) => {
    const all = toStripe({ amount, currency });
    if (all === undefined || amount <= 0) return undefined;
    return all % quantity === 0 ? item(name, all / quantity, quantity) : item(`${quantity} × ${name}`, all, 1);
  });
  const sum = lines.reduce((all, { amount }) => all + amount, 0);
  const isWhole = lines.length > 0 && lines.length <= linesMax && sum === money.amount && !items.includes(undefined);
  const shown = isWhole ? items : [item(lines.map(({ name }) => name).join(', ') || 'Payment', total, 1)];
  return Object.fromEntries(shown.map((one, at) => [String(at), one])) as StripeForm;
}

// biome-ignore format: a list of words
const locales = new Set([
  'bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr', 'fr-CA', 'hr', 'hu', 'id', 'it', 'ja', 'ko',
  'lt', 'lv', 'ms', 'mt', 'nb', 'nl', 'pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk', 'sl', 'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW',
]);

/** Where Stripe does not have the language, the browser decides. */
function localeOf(tag: string): string {
  return [tag, tag.split('-')[0] ?? ''].find((one) => locales.has(one)) ?? 'auto';
}
