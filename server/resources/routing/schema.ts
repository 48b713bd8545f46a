import type { TStringOptions } from 'typebox';
import { currencyOf } from '../../base/currency.ts';
import { Type } from '../../base/schema.ts';
import { brands } from '../../vault/index.ts';
import { Parameters } from '../shapes.ts';
import type { Condition, RoutingRule } from './rule.ts';

const rulesMax = 100;

const amount = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));
const set = (item: TStringOptions, description: string) =>
  Type.Optional(Type.Array(Type.String(item), { minItems: 1, maxItems: 200, description }));

const When = Parameters({
  currency: set({ pattern: '^[A-Za-z]{3}$', description: 'Three-letter currency code' }, 'Any of these currencies'),
  brand: set({ enum: [...brands] }, 'Any of these card brands'),
  country: set(
    { pattern: '^[A-Za-z]{2}$', description: 'Two-letter country code' },
    'Any of these countries of the billing address; an unknown one matches none',
  ),
  amount: Type.Optional(
    Parameters({
      gte: amount('At least this amount, in the smallest unit of the currency'),
      lt: amount('Less than this amount'),
    }),
  ),
});

const use = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  description: 'The ids of up to 3 processor accounts, in the order in which they are tried',
});

const Rule = Parameters({ when: Type.Optional(When), use });

export const RoutingInput = Parameters({
  rules: Type.Unsafe<RoutingRule[]>(
    Type.Array(Rule, {
      maxItems: rulesMax,
      normalize: (rules: RoutingRule[]) => rules.map(normalRule),
      description:
        'The first rule that matches a payment says which processors are tried. None: the enabled accounts, oldest first',
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

const texts = Type.Optional(Type.Array(Type.String()));

export const RoutingOutput = Type.Object(
  {
    object: Type.Literal('routing'),
    rules: Type.Array(
      Type.Object({
        when: Type.Optional(
          Type.Object({
            currency: texts,
            brand: texts,
            country: texts,
            amount: Type.Optional(
              Type.Object({ gte: Type.Optional(Type.Integer()), lt: Type.Optional(Type.Integer()) }),
            ),
          }),
        ),
        use: Type.Array(Type.String()),
      }),
    ),
  },
  { title: 'Routing' },
);
