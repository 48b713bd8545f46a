import type { Money } from '../../../base/money.ts';
import type { Inability } from '../../../connectors/capabilities.ts';
import type { Capabilities, Connector, Instrument, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import { kindOf } from '../payment_methods/by_kind.ts';
import { apiError } from '../payment_methods/errors.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { abilityOf, type Choice, choicesOf, inabilityOf, processorsMax } from './choices.ts';

/** A processor that may take a payment. */
export type Candidate = {
  connector: Connector;
  /** Why it was chosen, in a sentence; null where there is no choice. */
  reason: string | null;
};

/** The processors that may take a payment, in the order in which they are tried. */
export type Candidates = readonly [Candidate, ...Candidate[]];

/** What is asked of a processor: a charge of this money, or without any a setup. */
export type RoutedMoney = Money | undefined;

export type RouteContext = Pick<Context, 'tenant' | 'connectors' | 'routes' | 'processorAccounts'>;

/** What routing knows of a method: all of a stored one, and little of one that the cardholder is going to choose. */
export type RoutedMethod = Pick<PaymentMethod, 'processor_account' | 'billing'> & { brand: string | undefined };

export async function candidatesFor(
  context: Context,
  money: RoutedMoney,
  method: RoutedMethod,
  instrument: Instrument,
): Promise<Candidates> {
  const choices = await choicesFor(context, money, method);
  if (choices.length === 0) return [{ connector: connectorOfMode(context, money, instrument), reason: null }];
  return ableOnes(context, money, instrument, choices);
}

/** A processor that routing names for a payment, or without money for a setup, and what it can do. */
export type Taker = { connector: Connector; capabilities: Capabilities };

/**
 * The processors that routing names for a payment whose method is not known yet, in the order in which they are tried, whether or not they
 * can take it. None is asked.
 */
export async function takersOf(context: Context, money: RoutedMoney, country?: string): Promise<Taker[]> {
  const choices = choicesOf(await context.routes(context.tenant), { ...money, brand: undefined, country }) ?? [];
  const { tenant, connectors, mode } = context;
  const enabled = choices.flatMap(({ account }) => account ?? []);
  const found = await Promise.all(
    enabled.map(({ id, connector }) => connectors.of({ tenant, connector, processor_account: id })),
  );
  const { accounts, rules } = await context.routes(tenant);
  const named = accounts.length + rules.length === 0 ? [connectors.forMode(mode)] : found;
  return named.map((connector) => ({ connector, capabilities: connector.describe() }));
}

/** The processor of a tenant that has neither accounts nor rules. */
function connectorOfMode({ connectors, mode }: Context, money: RoutedMoney, { kind }: Instrument): Connector {
  const connector = connectors.forMode(mode);
  const inability = inabilityOf(connector, money, kind);
  if (inability !== undefined) throw refuseAll([{ id: connector.name, ...inability }]);
  return connector;
}

/** The processors that are left after these accounts were asked. */
export async function candidatesAfter(
  asked: readonly string[],
  context: RouteContext,
  money: RoutedMoney,
  method: PaymentMethod,
  instrument: Instrument,
): Promise<Candidates> {
  const choices = await choicesFor(context, money, method);
  const left = choices.filter(({ id }) => !asked.includes(id)).slice(0, processorsMax - asked.length);
  return ableOnes(context, money, instrument, left);
}

/** None where a tenant has neither processor accounts nor rules. */
async function choicesFor(context: RouteContext, money: RoutedMoney, method: RoutedMethod): Promise<Choice[]> {
  const { processor_account: keeper, brand } = method;
  if (keeper !== null) return [await keeperOf(context, keeper, brand === undefined ? 'card' : kindOf({ brand }).type)];
  const country = method.billing.address?.country;
  const routed = { ...money, brand, country };
  const choices = choicesOf(await context.routes(context.tenant), routed);
  if (choices !== undefined) return choices;
  const reason = `no routing rule matches this ${money === undefined ? 'setup' : 'payment'}`;
  throw apiError('payment_method_not_usable', { param: 'payment_method', reason });
}

/** A token is charged where it is kept, whatever the rules say. */
async function keeperOf(
  { processorAccounts, tenant }: RouteContext,
  id: ProcessorAccountId,
  type: string,
): Promise<Choice> {
  const account = await processorAccounts.find(tenant, id);
  return { id, account: account?.enabled ? account : undefined, reason: `the ${type} is kept there → ${id}` };
}

type PassedOver = { id: string } & Inability;

/** Those that can take the payment. The ones before are named in the reason of the first that can. */
async function ableOnes(
  context: RouteContext,
  money: RoutedMoney,
  { kind }: Instrument,
  choices: readonly Choice[],
): Promise<Candidates> {
  const able: Candidate[] = [];
  const passed: PassedOver[] = [];
  for (const choice of choices) {
    const found = await abilityOf(context, choice, money, kind);
    if (found.inability !== undefined) passed.push({ id: choice.id, ...found.inability });
    else able.push({ connector: found.connector, reason: [choice.reason, ...passed.map(inSentence)].join('; ') });
  }
  const [first, ...rest] = able;
  if (first === undefined) throw refuseAll(passed);
  return [first, ...rest];
}

const inSentence = ({ id, reason }: PassedOver) => `${id} passed over: ${reason}`;

/** No processor can take the payment. Where all object to the same parameter, that one is named. */
function refuseAll(passed: readonly PassedOver[]) {
  const reason = passed.map(({ id, reason: why }) => `${id}: ${why}`).join('; ');
  const [first] = passed;
  const isShared = first !== undefined && passed.every(({ param }) => param === first.param);
  if (isShared && first.param !== 'payment_method')
    return apiError('parameter_invalid', { param: first.param, reason });
  return apiError('payment_method_not_usable', { param: 'payment_method', reason });
}
