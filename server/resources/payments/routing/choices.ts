import type { Money } from '../../../base/money.ts';
import { type Inability, inabilityFor, inabilityToSetUp } from '../../../connectors/capabilities.ts';
import type { Connector, InstrumentKind } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import type { ProcessorAccount } from '../processor_accounts/processor_account.ts';
import type { ProcessorRoutes } from './routes.ts';
import { inWords, matchingRule, type RoutedPayment } from './rule.ts';

export const processorsMax = 3;

/** An account that is named for a payment; undefined if it takes none, because it is disabled. */
export type Choice = { id: string; account: ProcessorAccount | undefined; reason: string };

/** The accounts that are named for a payment, in the order in which they are tried. Undefined: there are rules, and none matches. */
export function choicesOf({ accounts, rules }: ProcessorRoutes, payment: RoutedPayment): Choice[] | undefined {
  if (rules.length === 0)
    return accounts.slice(0, processorsMax).map((account, at) => {
      const reason = `no rules: enabled account ${at + 1}, oldest first → ${account.id}`;
      return { id: account.id, account, reason };
    });
  const matched = matchingRule(rules, payment);
  return matched?.rule.use.map((id) => ({
    id,
    account: accounts.find((account) => account.id === id),
    reason: `rule ${matched.number}: ${inWords(matched.rule.when ?? {})} → ${id}`,
  }));
}

/** Why a processor cannot take a payment, or without money cannot set the method up; undefined when it can. */
export function inabilityOf(
  connector: Connector,
  money: Money | undefined,
  kind: InstrumentKind,
): Inability | undefined {
  const capabilities = connector.describe();
  const isChosen = kind === 'page' || kind === 'confirmation';
  if (money === undefined && isChosen && connector.account === undefined)
    return { param: 'payment_method', reason: 'it keeps payment methods for processor accounts only' };
  return money === undefined ? inabilityToSetUp(capabilities, kind) : inabilityFor(capabilities, money, kind);
}

type Ability = { connector: Connector; inability?: undefined } | { inability: Inability };

/** The connector of a choice, or why it cannot take the payment. No processor is asked. */
export async function abilityOf(
  { connectors, tenant }: Pick<Context, 'connectors' | 'tenant'>,
  { account }: Choice,
  money: Money | undefined,
  kind: InstrumentKind,
): Promise<Ability> {
  if (account === undefined) return { inability: { param: 'payment_method', reason: 'it is disabled' } };
  const connector = await connectors.of({ tenant, connector: account.connector, processor_account: account.id });
  const inability = inabilityOf(connector, money, kind);
  return inability === undefined ? { connector } : { inability };
}
