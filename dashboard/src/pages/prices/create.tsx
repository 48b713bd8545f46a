import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { PricesCreateParameters, Recurrence } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { MoneyField, type MoneyText, moneyOf } from '../../kit/money_field.tsx';
import { perPeriod } from '../../nouns/price_words.ts';

const intervals = ['day', 'week', 'month', 'year'] as const;

export function CreateDialog({ onClose }: { onClose(): void }) {
  const [product, setProduct] = useState('');
  const [money, setMoney] = useState<MoneyText>({ text: '', currency: 'eur' });
  const [recurring, setRecurring] = useState<{ interval: Recurrence['interval']; count: string }>({
    interval: 'month',
    count: '1',
  });
  const navigate = useNavigate();
  const params = paramsOf(product, money, recurring);
  const shown = params && perPeriod(params.unit_amount, params.currency, params.recurring as Recurrence);
  return (
    <ActionDialog
      title="Create a price"
      confirm={shown === undefined ? 'Create price' : `Create ${shown}`}
      params={params}
      preview={[
        shown === undefined
          ? 'Enter a product name, an amount and an interval.'
          : `${product.trim()} can be subscribed to for ${shown}. The amount, the currency and the interval cannot be changed later.`,
        endpointsGet('price.created'),
      ]}
      run={(api, sent, options) => api.prices.create(sent, options)}
      done={({ product_name }) => `Price created for ${product_name}`}
      onDone={({ id }) => void navigate({ to: `/prices/${id}` as string })}
      onClose={onClose}
    >
      <TextInput
        label="Product name"
        data-autofocus
        maxLength={256}
        value={product}
        onChange={(event) => setProduct(event.currentTarget.value)}
      />
      <MoneyField label="Unit amount" value={money} onChange={setMoney} />
      <SimpleGrid cols={2} spacing={8}>
        <TextInput
          label="Every"
          inputMode="numeric"
          autoComplete="off"
          value={recurring.count}
          error={countOf(recurring.count) === undefined && 'Enter a whole number'}
          onChange={(event) => setRecurring({ ...recurring, count: event.currentTarget.value })}
        />
        <Select
          label="Interval"
          allowDeselect={false}
          data={[...intervals]}
          value={recurring.interval}
          onChange={(interval) => setRecurring({ ...recurring, interval: interval as Recurrence['interval'] })}
        />
      </SimpleGrid>
    </ActionDialog>
  );
}

function countOf(text: string): number | undefined {
  return /^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) : undefined;
}

function paramsOf(product: string, money: MoneyText, recurring: { interval: Recurrence['interval']; count: string }) {
  const [unit_amount, interval_count] = [moneyOf(money), countOf(recurring.count)];
  if (product.trim() === '' || unit_amount === undefined || interval_count === undefined) return undefined;
  const params: PricesCreateParameters = {
    ...{ product_name: product.trim(), unit_amount, currency: money.currency },
    recurring: { interval: recurring.interval, interval_count },
  };
  return params;
}
