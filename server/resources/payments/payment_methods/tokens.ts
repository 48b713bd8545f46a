import type { Static } from 'typebox';
import type { Write } from '../../../base/commit/index.ts';
import type { Secret } from '../../../base/secret.ts';
import { question } from '../../../connectors/ask.ts';
import type { AttemptId, Connector, Holder } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import { kindOf } from './by_kind.ts';
import { apiError } from './errors.ts';
import type { MethodFacts, MethodKind } from './kind.ts';
import type { PaymentMethod, TokenFacts } from './payment_method.ts';
import type { NewPaymentMethodInput } from './schema.ts';
import { replacePaymentMethod } from './store.ts';

type TokenInput = NonNullable<Static<typeof NewPaymentMethodInput>['processor_token']>;

/** For whom a processor is to keep a method. A repeated request with the same id has one effect. */
type KeepFor = { id: string; holder: Holder };

const accountParam = 'processor_token.processor_account';
const tokenParam = 'processor_token.token';

/** The processor is asked what a new token stands for, and to keep it for a customer if there is one. */
export async function readToken(
  context: Context,
  kind: MethodKind,
  { processor_account: id, token }: TokenInput,
  keepFor: KeepFor | undefined,
): Promise<MethodFacts & TokenFacts> {
  const account = await context.processorAccounts.require(context, id, accountParam);
  const connector = await context.connectors.of({ ...account, processor_account: account.id });
  if (!connector.describe().tokens)
    throw apiError('parameter_invalid', {
      param: accountParam,
      reason: `${account.connector} keeps no payment methods`,
    });
  const kept = await askForToken(context, kind, connector, token, keepFor);
  if (kept === undefined) {
    const reason = 'the processor account knows no such token';
    throw apiError('parameter_invalid', { param: tokenParam, reason });
  }
  if ('refused' in kept) throw notAttached(tokenParam, kept.refused);
  const keeper = { processor_account: account.id, processor_customer: kept.customer ?? null, token_attempt: null };
  return { ...kept.facts, ...keeper };
}

/**
 * The processor's own name for the customer of a method that is attached here: the processor is asked to keep it, unless it does already.
 * It may do so because of a request that died before its commit, so it is always asked what the token stands for first.
 */
export async function keepToken(context: Context, method: PaymentMethod): Promise<string | null> {
  if (method.processor_account === null || method.processor_customer !== null) return method.processor_customer;
  const { reads, tenant } = context;
  const account = await context.processorAccounts.find(tenant, method.processor_account);
  const token = await context.vault.openSecret(reads, tenant, method.id);
  if (account === undefined || token === undefined)
    throw apiError('payment_method_not_usable', { param: 'id', reason: 'its token was destroyed' });
  const connector = await context.connectors.of({ ...account, processor_account: account.id });
  const keepFor = { id: method.id, holder: method.billing };
  const kept = await askForToken(context, kindOf(method), connector, token, keepFor);
  if (kept === undefined)
    throw apiError('payment_method_not_usable', {
      param: 'id',
      reason: 'its processor does not know its token any more',
    });
  if ('refused' in kept) throw notAttached('id', kept.refused);
  return kept.customer ?? null;
}

type Kept = { facts: MethodFacts; customer: string | undefined };

/** Both questions have one deadline. */
function askForToken(
  { connectors }: Context,
  kind: MethodKind,
  connector: Connector,
  token: Secret,
  keepFor: KeepFor | undefined,
): Promise<Kept | { refused: string } | undefined> {
  return question(connectors.limits, async () => {
    const found = await connector.retrieveToken?.(token);
    if (found === undefined) return undefined;
    const facts = kind.tokenized?.(found);
    if (facts === undefined) throw new Error(`the ${kind.type} could not be understood`);
    const { customer } = found;
    if (customer !== undefined || keepFor === undefined) return { facts, customer };
    if (connector.attachToken === undefined) return { refused: `${connector.name} takes a token once` };
    const kept = await connector.attachToken({ ...keepFor, token });
    return 'refused' in kept ? kept : { facts, customer: kept.customer };
  });
}

function notAttached(param: string, refused: string) {
  const reason = `its processor does not attach it to a customer: ${refused.replace(/\.$/, '')}`;
  return apiError('payment_method_not_usable', { param, reason });
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
