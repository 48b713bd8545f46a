import { currencyOf } from '../../../base/currency.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { apiError } from '../../../operations/errors.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { preview } from './preview.ts';
import { type RoutingRule, whyNever } from './rule.ts';
import { RoutingInput, RoutingOutput } from './schema.ts';
import { type Routing, routingTable, saveRouting } from './store.ts';

const accountsMax = 3;

const retrieve = operation({
  name: 'routing.retrieve',
  summary: 'Retrieve the routing rules',
  description:
    'Returns the rules in the order in which they are tried. Without rules, the enabled processor accounts are tried, oldest first.',
  route: 'GET /routing',
  callers: ['key', 'operator'],
  output: RoutingOutput,
  async run(context) {
    return { result: serialize((await find(context))?.rules ?? []) };
  },
});

const update = operation({
  name: 'routing.update',
  summary: 'Set the routing rules',
  description:
    'Replaces all rules; an empty list removes them. The server that is asked applies them immediately, others within a second. Refused are an account twice in a rule, and a rule that can never match because of an earlier one. In live mode only the operator can do this, on the command line.',
  route: 'POST /routing',
  right: 'settings',
  operatorInLive: 'tollgate routing set',
  callers: ['key', 'operator'],
  input: RoutingInput,
  output: RoutingOutput,
  errors: apiError.codes('resource_missing'),
  check({ rules }) {
    for (const at of rules.keys()) checkRule(rules, at);
  },
  async run(context, { rules }) {
    await requireAccounts(context, rules);
    const before = await find(context);
    const version = (before?.version ?? 0) + 1;
    const audit = [{ action: 'routing.update', subject: 'routing', details: { from: before?.rules ?? [], to: rules } }];
    return {
      result: serialize(rules),
      writes: [saveRouting({ tenant: context.tenant, id: 'routing', version, rules })],
      audit,
    };
  },
});

function find({ reads, tenant }: Pick<Context, 'reads' | 'tenant'>): Promise<Routing | undefined> {
  return reads.one(routingTable, tenant, 'routing');
}

function serialize(rules: readonly RoutingRule[]): object {
  return { object: 'routing', rules };
}

function checkRule(rules: readonly RoutingRule[], at: number): void {
  const { use, when } = rules[at]!;
  const invalid = (param: string, reason: string) => apiError('parameter_invalid', { param, reason });
  if (use.length > accountsMax)
    throw invalid(`rules.${at}.use`, `it must name at most ${accountsMax} processor accounts`);
  if (new Set(use).size < use.length)
    throw invalid(`rules.${at}.use`, 'it must not name the same processor account twice');
  const unknown = when?.currency?.find((code) => currencyOf(code) === undefined);
  if (unknown !== undefined)
    throw invalid(`rules.${at}.when.currency`, `it must hold ISO currency codes, and ${unknown} is none in use`);
  const never = whyNever(rules, at);
  if (never !== undefined) throw invalid(`rules.${at}`, never);
}

/** A disabled account may be named: it is passed over until it is enabled. */
async function requireAccounts(context: Context, rules: readonly RoutingRule[]): Promise<void> {
  for (const [at, { use }] of rules.entries())
    for (const [place, id] of use.entries())
      await context.processorAccounts.require(context, id, `rules.${at}.use.${place}`);
}

/** Whether a rule names this processor account, which then cannot be deleted. */
export async function isRoutedTo(reads: Reads, tenant: Tenant, account: string): Promise<boolean> {
  const rules = (await find({ reads, tenant }))?.rules ?? [];
  return rules.some(({ use }) => (use as readonly string[]).includes(account));
}

export const routingOperations: readonly AnyOperation[] = [retrieve, update, preview];
