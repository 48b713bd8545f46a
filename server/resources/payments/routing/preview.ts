import { Type } from '../../../base/schema.ts';
import { apiError } from '../../../operations/errors.ts';
import { checkAmount, checkCurrency } from '../../../operations/money.ts';
import { operation } from '../../../operations/operation.ts';
import {
  CurrencyParameter,
  Flag,
  MaybeText,
  MaybeWhole,
  ObjectKind,
  Parameters,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { brands, kindOf } from '../payment_methods/by_kind.ts';
import { abilityOf, choicesOf } from './choices.ts';
import { inWords, matchingRule, whyNot } from './rule.ts';

const PreviewInput = Parameters({
  amount: Type.Integer({ description: 'In the smallest unit of the currency.' }),
  currency: CurrencyParameter,
  brand: Type.Unsafe<string>(Type.String({ enum: [...brands], description: 'The brand of the payment method.' })),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      description: 'Two-letter code of the country of the billing address; without it the country is not known.',
      normalize: (text: string) => text.toUpperCase(),
    }),
  ),
});

const PassedRule = Type.Object(
  {
    rule: Whole('The number of the rule, counted from 1.'),
    reasons: Type.Array(Type.String(), { description: 'Why it does not match, one reason for each condition.' }),
  },
  { title: 'PassedRoutingRule', description: 'A rule that does not match.' },
);

const PreviewProcessor = Type.Object(
  {
    account: Text('The id of the processor account.'),
    able: Flag('Whether it can take the payment.'),
    reason: MaybeText('Why it is passed over.'),
  },
  { title: 'RoutingPreviewProcessor' },
);

const PreviewOutput = Type.Object(
  {
    object: ObjectKind('routing_preview'),
    rule: MaybeWhole(
      'The number of the rule that matches, counted from 1; absent if there are no rules, or none matches.',
    ),
    reason: Text('What decides, in a sentence.'),
    passed: Type.Array(PassedRule, {
      description: 'The rules before it, in their order; all of them if none matches.',
    }),
    processors: Type.Array(PreviewProcessor, {
      description:
        'The processor accounts in the order in which they are tried. Without rules and without accounts it is empty: the processor of the mode takes the payment.',
    }),
  },
  { title: 'RoutingPreview', description: 'Where a payment would go whose method no processor keeps.' },
);

/** The decision that a payment would get, by the same functions. Nothing is charged, and no processor is asked. */
export const preview = operation({
  callers: ['person', 'operator'],
  name: 'routing.preview',
  summary: 'Ask which rule would take a payment',
  description:
    'Tells where a payment with these properties would go whose method no processor keeps, and why earlier rules do not match it. Nothing is charged, and no processor is asked.',
  route: 'GET /routing/preview',
  input: PreviewInput,
  output: PreviewOutput,
  errors: apiError.codes('amount_too_small', 'amount_too_large', 'currency_unknown'),
  check({ amount, currency }) {
    checkAmount(amount);
    checkCurrency(currency);
  },
  async run(context, { amount, currency, brand, country }) {
    const payment = { amount, currency, brand, country };
    const routes = await context.routes(context.tenant);
    const matched = matchingRule(routes.rules, payment);
    const before = routes.rules.slice(0, matched === undefined ? undefined : matched.number - 1);
    const choices = choicesOf(routes, payment) ?? [];
    const processors = choices.map(async (choice) => {
      const { inability } = await abilityOf(context, choice, payment, kindOf(payment).type);
      return { account: choice.id, able: inability === undefined, ...(inability && { reason: inability.reason }) };
    });
    const result = {
      object: 'routing_preview',
      ...(matched && { rule: matched.number }),
      reason: reasonOf(routes.rules.length, matched, choices.length),
      passed: before.map((rule, at) => ({ rule: at + 1, reasons: whyNot(rule, payment) })),
      processors: await Promise.all(processors),
    };
    return { result };
  },
});

function reasonOf(rules: number, matched: ReturnType<typeof matchingRule>, accounts: number): string {
  if (matched !== undefined) return `Rule ${matched.number} matches: ${inWords(matched.rule.when ?? {})}.`;
  if (rules > 0) return 'No rule matches. The payment is refused.';
  if (accounts > 0) return 'There are no rules. The enabled processor accounts are tried, oldest first.';
  return 'There are no rules and no enabled processor accounts. The processor of the mode takes the payment.';
}
