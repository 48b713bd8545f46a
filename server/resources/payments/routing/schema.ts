import type { TStringOptions } from 'typebox';
import { currencyOf } from '../../../base/currency.ts';
import { Type } from '../../../base/schema.ts';
import { MaybeWhole, ObjectKind, Parameters } from '../../../operations/schemas.ts';
import { brands } from '../payment_methods/by_kind.ts';
import type { Condition, RoutingRule } from './rule.ts';

const rulesMax = 100;

const amount = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));
const set = (item: TStringOptions, description: string) =>
  Type.Optional(Type.Array(Type.String(item), { minItems: 1, maxItems: 200, description }));

const uses = 'The ids of up to 3 processor accounts, in the order in which they are tried.';
const conditions = 'The payment must meet every condition that is named. Without any, the rule matches every payment.';
const amounts = 'The amount of the payment, in the smallest unit of its currency.';

const When = Type.Object(
  {
    currency: set(
      { pattern: '^[A-Za-z]{3}$', description: 'Three-letter currency code' },
      'Any of these currencies: 1 to 200 codes.',
    ),
    brand: set({ enum: [...brands] }, 'Any of these brands of the payment method: 1 to 200 names.'),
    country: set(
      { pattern: '^[A-Za-z]{2}$', description: 'Two-letter country code' },
      'Any of these countries of the billing address: 1 to 200 codes. A payment method without a country matches none.',
    ),
    amount: Type.Optional(
      Type.Object(
        { gte: amount('This amount, or more.'), lt: amount('Less than this amount.') },
        { additionalProperties: false, description: amounts },
      ),
    ),
  },
  { additionalProperties: false, description: conditions },
);

const use = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, description: uses });

const Rule = Type.Object(
  { when: Type.Optional(When), use },
  { additionalProperties: false, title: 'RoutingRuleParameters' },
);

export const RoutingInput = Parameters({
  rules: Type.Unsafe<RoutingRule[]>(
    Type.Array(Rule, {
      maxItems: rulesMax,
      normalize: (rules: RoutingRule[]) => rules.map(normalRule),
      description:
        'All rules, at most 100: they replace those that were there. The first one that matches a payment says which processors are tried. Without rules the enabled accounts are, oldest first.',
    }),
  ),
});

/** One spelling for rules with the same meaning: codes in their usual case, sets in order. The order of `use` has a meaning. */
function normalRule({ when, use: ids }: RoutingRule): RoutingRule {
  const condition = when && normalCondition(when);
  return { ...(condition === undefined || Object.keys(condition).length === 0 ? {} : { when: condition }), use: ids };
}

function normalCondition({ currency, brand, country, amount: range }: Condition): Condition {
  return {
    ...(currency && { currency: sorted(currency.map((code) => currencyOf(code) ?? code)) }),
    ...(brand && { brand: sorted(brand) }),
    ...(country && { country: sorted(country.map((code) => code.toUpperCase())) }),
    ...(range && Object.keys(range).length > 0 && { amount: range }),
  };
}

const sorted = (values: readonly string[]) => [...new Set(values)].sort();

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const ShownWhen = Type.Object(
  {
    currency: texts('Any of these currencies.'),
    brand: texts('Any of these brands of the payment method.'),
    country: texts('Any of these countries of the billing address.'),
    amount: Type.Optional(
      Type.Object(
        { gte: MaybeWhole('This amount, or more.'), lt: MaybeWhole('Less than this amount.') },
        { description: amounts },
      ),
    ),
  },
  { title: 'RoutingCondition', description: 'A payment must meet all of it. Absent: the rule matches every payment.' },
);

const ShownRule = Type.Object(
  { when: Type.Optional(ShownWhen), use: Type.Array(Type.String(), { description: uses }) },
  { title: 'RoutingRule' },
);

export const RoutingOutput = Type.Object(
  {
    object: ObjectKind('routing'),
    rules: Type.Array(ShownRule, { description: 'The first rule that matches a payment decides.' }),
  },
  { title: 'Routing' },
);
