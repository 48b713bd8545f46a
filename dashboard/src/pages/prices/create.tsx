import { Select, SimpleGrid, TextInput } from '@mantine/core';
import type { Recurrence } from '@tollgate/node';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, textField } from '../../kit/form_dialog.tsx';
import { MoneyField, type MoneyText, moneyOf } from '../../kit/money_field.tsx';
import { perPeriod } from '../../nouns/price_words.ts';

const intervals = ['day', 'week', 'month', 'year'] as const;

type Period = { interval: Recurrence['interval']; count: string };

export const createPrice = form({
  title: 'Create a price',
  fields: {
    product_name: textField('Product name', '', { maxLength: 256, hasFocus: true }),
    unit_amount: field<MoneyText>({ text: '', currency: 'eur' }, (value, onChange) => (
      <MoneyField label="Unit amount" value={value} onChange={onChange} />
    )),
    recurring: field<Period>({ interval: 'month', count: '1' }, (value, onChange) => (
      <PeriodFields value={value} onChange={onChange} />
    )),
  },
  describe({ product_name, unit_amount, recurring }) {
    const params = paramsOf(product_name.trim(), unit_amount, recurring);
    const shown = params && perPeriod(params.unit_amount, params.currency, params.recurring as Recurrence);
    return {
      confirm: shown === undefined ? 'Create price' : `Create ${shown}`,
      params,
      preview: [
        shown === undefined
          ? 'Enter a product name, an amount and an interval.'
          : `${product_name.trim()} can be subscribed to for ${shown}. The amount, the currency and the interval cannot be changed later.`,
        endpointsGet('price.created'),
      ],
    };
  },
  run: (api, sent, options) => api.prices.create(sent, options),
  done: ({ product_name }) => `Price created for ${product_name}`,
  leadsTo: ({ id }) => `/prices/${id}`,
});

function PeriodFields({ value, onChange }: { value: Period; onChange(value: Period): void }) {
  return (
    <SimpleGrid cols={2} spacing={8}>
      <TextInput
        label="Every"
        inputMode="numeric"
        autoComplete="off"
        value={value.count}
        error={countOf(value.count) === undefined && 'Enter a whole number'}
        onChange={(event) => onChange({ ...value, count: event.currentTarget.value })}
      />
      <Select
        label="Interval"
        allowDeselect={false}
        data={[...intervals]}
        value={value.interval}
        onChange={(interval) => onChange({ ...value, interval: interval as Recurrence['interval'] })}
      />
    </SimpleGrid>
  );
}

function countOf(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) : undefined;
}

function paramsOf(product_name: string, money: MoneyText, { interval, count }: Period) {
  const [unit_amount, interval_count] = [moneyOf(money), countOf(count)];
  if (product_name === '' || unit_amount === undefined || interval_count === undefined) return undefined;
  return { product_name, unit_amount, currency: money.currency, recurring: { interval, interval_count } };
}
