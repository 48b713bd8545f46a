import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { Recurrence } from '@tollgate/node';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, selectField, textField } from '../../kit/form_dialog.tsx';
import { type MoneyText, moneyOf } from '../../kit/money.ts';
import { moneyField } from '../../kit/money_field.tsx';
import { perPeriod } from '../../nouns/price_words.ts';

const billed = ['every period', 'once'] as const;
type Billed = (typeof billed)[number];

const intervals: Interval[] = ['day', 'week', 'month', 'year'];

type Interval = Recurrence['interval'];
type Period = { interval: Interval; interval_count: string };

export const createPrice = form({
  title: 'Create a price',
  fields: {
    product_name: textField('Product name', '', { maxLength: 256, hasFocus: true }),
    unit_amount: moneyField('Unit amount'),
    billed: selectField<Billed>('Billed', [...billed], 'every period'),
    recurring: field<Period>({ interval: 'month', interval_count: '1' }, (_, part) => (
      <PeriodInputs count={part('interval_count')} interval={part('interval')} />
    )),
  },
  sentBy: { currency: 'unit_amount.currency' },
  describe({ product_name, unit_amount, billed, recurring }) {
    const isOnce = billed === 'once';
    const params = paramsOf(product_name.trim(), unit_amount, isOnce ? undefined : recurring);
    const shown =
      params && perPeriod(params.unit_amount, params.currency, 'recurring' in params ? params.recurring : undefined);
    return {
      hidden: isOnce ? ['recurring'] : [],
      confirm: shown === undefined ? 'Create price' : `Create ${shown}`,
      params,
      preview: [
        shown === undefined
          ? `Enter a product name${isOnce ? ' and an amount' : ', an amount and an interval'}.`
          : `${product_name.trim()} can be ${isOnce ? 'sold' : 'subscribed to'} for ${shown}. The amount, the currency and the interval cannot be changed later.`,
        endpointsGet('price.created'),
      ],
    };
  },
  run: (api, sent, options) => api.prices.create(sent, options),
  done: ({ product_name }) => `Price created for ${product_name}`,
  leadsTo: ({ id }) => `/prices/${id}`,
});

type PeriodProps = { count: InputProps<string>; interval: InputProps<Interval> };

function PeriodInputs({ count: { error, ...count }, interval }: PeriodProps) {
  return (
    <SimpleGrid cols={2} spacing={8}>
      <TextInput
        label="Every"
        inputMode="numeric"
        autoComplete="off"
        {...count}
        error={countOf(count.value) === undefined ? 'Enter a whole number' : error}
      />
      <Select
        label="Interval"
        allowDeselect={false}
        data={intervals}
        {...interval}
        onChange={(chosen) => chosen !== null && interval.onChange(chosen)}
      />
    </SimpleGrid>
  );
}

function countOf(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) : undefined;
}

function paramsOf(product_name: string, money: MoneyText, period: Period | undefined) {
  const unit_amount = moneyOf(money);
  if (product_name === '' || unit_amount === undefined) return undefined;
  const sold = { product_name, unit_amount, currency: money.currency };
  if (period === undefined) return sold;
  const interval_count = countOf(period.interval_count);
  return interval_count === undefined
    ? undefined
    : { ...sold, recurring: { interval: period.interval, interval_count } };
}
