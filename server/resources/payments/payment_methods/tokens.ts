import type { Static } from 'typebox';
import type { Write } from '../../../base/commit/index.ts';
import { isId } from '../../../base/id.ts';
import type { Secret } from '../../../base/secret.ts';
import { question } from '../../../connectors/ask.ts';
import type { AttemptId, Connector, Holder, TokenizedCard } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Brand, brands } from '../../../vault/index.ts';
import { apiError } from './errors.ts';
import type { CardFacts, PaymentMethod } from './payment_method.ts';
import type { NewPaymentMethodInput } from './schema.ts';
import { replacePaymentMethod } from './store.ts';

type TokenInput = NonNullable<Static<typeof NewPaymentMethodInput>['processor_token']>;

/** For whom a processor is to keep a card. A repeated request with the same id has one effect. */
type KeepFor = { id: string; holder: Holder };

const accountParam = 'processor_token.processor_account';
const tokenParam = 'processor_token.token';

/** The processor is asked for the card of a new token, and to keep the card for a customer if there is one. */
export async function readToken(
  context: Context,
  { processor_account: id, token }: TokenInput,
  keepFor: KeepFor | undefined,
): Promise<CardFacts> {
  const account = isId('pa', id) ? await context.processorAccounts.find(context.tenant, id) : undefined;
  if (account === undefined) throw apiError('resource_missing', { param: accountParam, resource: 'processor account' });
  const connector = await context.connectors.of({ ...account, processor_account: account.id });
  if (!connector.describe().tokens)
    throw apiError('parameter_invalid', { param: accountParam, reason: `${account.connector} keeps no cards` });
  const card = await askForCard(context, connector, token, keepFor);
  if (card === undefined) {
    const reason = 'the processor account knows no such token';
    throw apiError('parameter_invalid', { param: tokenParam, reason });
  }
  if ('refused' in card) throw notAttached(tokenParam, card.refused);
  return {
    brand: brandOf(card.brand),
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    processor_account: account.id,
    processor_customer: card.customer ?? null,
    token_attempt: null,
  };
}

/**
 * The processor's own name for the customer of a method that is attached here: the processor is asked to keep the card, unless it does
 * already. It may do so because of a request that died before its commit, so it is always asked for the card first.
 */
export async function keepToken(context: Context, method: PaymentMethod): Promise<string | null> {
  if (method.processor_account === null || method.processor_customer !== null) return method.processor_customer;
  const { reads, tenant } = context;
  const account = await context.processorAccounts.find(tenant, method.processor_account);
  const token = await context.vault.openSecret(reads, tenant, method.id);
  if (account === undefined || token === undefined)
    throw apiError('payment_method_not_usable', { param: 'id', reason: 'its token was destroyed' });
  const connector = await context.connectors.of({ ...account, processor_account: account.id });
  const card = await askForCard(context, connector, token, { id: method.id, holder: method.billing });
  if (card === undefined)
    throw apiError('payment_method_not_usable', {
      param: 'id',
      reason: 'its processor does not know its token any more',
    });
  if ('refused' in card) throw notAttached('id', card.refused);
  return card.customer ?? null;
}

/** Both questions have one deadline. */
function askForCard(
  { connectors }: Context,
  connector: Connector,
  token: Secret,
  keepFor: KeepFor | undefined,
): Promise<TokenizedCard | { refused: string } | undefined> {
  return question(connectors.limits, async () => {
    const card = await connector.retrieveToken?.(token);
    if (card !== undefined && !canBe(card)) throw new Error('the card could not be understood');
    if (card === undefined || card.customer !== undefined || keepFor === undefined) return card;
    if (connector.attachToken === undefined) return { refused: `${connector.name} takes a token once` };
    const kept = await connector.attachToken({ ...keepFor, token });
    return 'refused' in kept ? kept : { ...card, customer: kept.customer };
  });
}

/** Whether a card can be like this: what a processor says is stored and shown. */
export function canBe({ last4, expMonth, expYear }: Omit<TokenizedCard, 'brand' | 'customer'>): boolean {
  const isYear = Number.isInteger(expYear) && expYear >= 1_000 && expYear <= 9_999;
  return /^\d{4}$/.test(last4) && Number.isInteger(expMonth) && expMonth >= 1 && expMonth <= 12 && isYear;
}

function notAttached(param: string, refused: string) {
  const reason = `its processor does not attach it to a customer: ${refused.replace(/\.$/, '')}`;
  return apiError('payment_method_not_usable', { param, reason });
}

/** Processors know more brands than we name. */
export function brandOf(text: string): Brand {
  return brands.find((brand) => brand === text.toLowerCase()) ?? 'unknown';
}

/** The attempt that has used a token which can be charged once. Undefined: it can be charged. */
export function usedBy({ processor_customer, token_attempt }: PaymentMethod): AttemptId | undefined {
  return (processor_customer === null && token_attempt) || undefined;
}

/**
 * The write that is committed with the first attempt to charge a token which can be charged once. It takes the version of the method: of
 * two payments that have read it unused, the second is decided again.
 */
export function useToken(method: PaymentMethod, attempt: AttemptId): Write[] {
  if (method.processor_account === null || method.processor_customer !== null) return [];
  return [replacePaymentMethod({ ...method, version: method.version + 1, token_attempt: attempt })];
}
