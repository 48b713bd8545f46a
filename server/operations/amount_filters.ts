import { currenciesWith } from '../base/currency.ts';
import { Type } from '../base/schema.ts';
import { type BoundName, boundConditions, type ComparedFilter } from './compared_filter.ts';
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
  condition: (value, bind) =>
    boundConditions<string>('amount', value as object, (text, name) => limits(text, name, bind)),
};

/** For a list with the parameters `currency` and those of amounts. */
export const comparesMoney = {
  ...comparesCurrency,
  compared: [...comparesCurrency.compared, comparesAmount, comparesDecimal],
};

/** The limit in the smallest unit, by the decimals of the currency. Most currencies have two. */
function limits(text: string, name: BoundName, bind: Bind): string {
  const limit = (decimals: number) => `${bind(smallestUnits(text, decimals, name))}::int8`;
  const [without, withThree] = [0, 3].map((decimals) => bind(currenciesWith(decimals)));
  return `case when currency = any(${without}) then ${limit(0)} when currency = any(${withThree}) then ${limit(3)} else ${limit(2)} end`;
}

/** An amount has no part of a smallest unit: of a limit that has one, the next amount that still fits is taken. */
export function smallestUnits(text: string, decimals: number, name: BoundName): number {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  const isExact = !/[1-9]/.test(fraction.slice(decimals));
  const units = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return isExact || name === 'gt' || name === 'lte' ? units : units + 1;
}
