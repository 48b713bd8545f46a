import { currenciesWith } from '../base/currency.ts';
import { Type } from '../base/schema.ts';
import { boundConditions, type ComparedFilter } from './compared_filter.ts';
import { amountMax, comparesCurrency } from './money.ts';
import type { Bind } from './scan.ts';

const whole = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: amountMax, description }));
const decimalText = 'Decimal number with at most three decimals, such as 129 or 129.50';
const decimal = () =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,12}([.][0-9]{1,3})?$', description: decimalText }));

/** The parameters of a list by which an amount is compared. */
export const amountFilters = {
  amount: Type.Optional(
    Type.Object(
      {
        gt: whole('More than this.'),
        gte: whole('This or more.'),
        lt: whole('Less than this.'),
        lte: whole('This or less.'),
      },
      {
        additionalProperties: false,
        description: 'Only those whose amount is within these bounds, in the smallest unit of their currency.',
      },
    ),
  ),
  amount_decimal: Type.Optional(
    Type.Object(
      { gt: decimal(), gte: decimal(), lt: decimal(), lte: decimal() },
      {
        additionalProperties: false,
        description:
          'The same in the main unit of each currency, as people write amounts: `129.50` is 129.50 euros, or 129.500 dinars.',
      },
    ),
  ),
};

const comparesAmount: ComparedFilter = {
  name: 'amount',
  columns: ['amount'],
  condition: (value, bind) => boundConditions<number>('amount', value as object, (limit) => bind(limit)),
};

const comparesDecimal: ComparedFilter = {
  name: 'amount_decimal',
  columns: ['amount', 'currency'],
  condition: (value, bind) => boundConditions<string>('amount', value as object, (text) => limitOf(text, bind)),
};

/** For a list with the parameters `currency` and those of amounts. */
export const comparesMoney = {
  ...comparesCurrency,
  compared: [...comparesCurrency.compared, comparesAmount, comparesDecimal],
};

/**
 * The limit in the smallest unit, by the decimals of the currency. Most currencies have two. It is exact, even where it has more decimals than
 * the currency.
 */
function limitOf(text: string, bind: Bind): string {
  const [without, withThree] = [0, 3].map((decimals) => bind(currenciesWith(decimals)));
  return `${bind(text)}::numeric * case when currency = any(${without}) then 1 when currency = any(${withThree}) then 1000 else 100 end`;
}
