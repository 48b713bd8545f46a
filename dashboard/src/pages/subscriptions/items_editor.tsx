import { Input, Stack, TextInput } from '@mantine/core';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { AddRow, RemoveRow } from '../../kit/row_buttons.tsx';
import { PriceSelect } from '../../nouns/billing_selects.tsx';
import { type ItemRow, quantityOf } from './items.ts';
import style from './subscriptions.module.css';

const itemsMax = 20;

export function newRow(): ItemRow {
  return { key: crypto.randomUUID(), price: null, quantity: '1' };
}

/** Prices with quantities: what a subscription bills. */
export function ItemsEditor({ value: rows, onChange, error, ...input }: InputProps<ItemRow[]>) {
  const change = (key: string, changed: Partial<ItemRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  return (
    <Stack gap={8} {...input}>
      {rows.map(({ key, price, quantity }, index) => (
        <div key={key} className={style.item}>
          <PriceSelect
            label={rows.length === 1 ? 'Price' : `Price ${index + 1}`}
            value={price}
            onChange={(value) => change(key, { price: value })}
          />
          <TextInput
            label="Quantity"
            inputMode="numeric"
            autoComplete="off"
            value={quantity}
            error={quantityOf(quantity) === undefined && '0 to 1,000,000'}
            onChange={(event) => change(key, { quantity: event.currentTarget.value })}
          />
          {rows.length > 1 && (
            <RemoveRow
              label={`Remove item ${index + 1}`}
              onClick={() => onChange(rows.filter((row) => row.key !== key))}
            />
          )}
        </div>
      ))}
      <AddRow label="Add an item" isOff={rows.length >= itemsMax} onClick={() => onChange([...rows, newRow()])} />
      {error && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}
