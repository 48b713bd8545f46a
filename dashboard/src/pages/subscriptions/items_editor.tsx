import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Icon } from '../../kit/icon.tsx';
import { PriceSelect } from '../../nouns/billing_selects.tsx';
import { type ItemRow, quantityOf } from './items.ts';
import style from './subscriptions.module.css';

type EditorProps = { rows: readonly ItemRow[]; onChange(rows: ItemRow[]): void };

const itemsMax = 20;

export function newRow(): ItemRow {
  return { key: crypto.randomUUID(), price: null, quantity: '1' };
}

/** Prices with quantities: what a subscription bills. */
export function ItemsEditor({ rows, onChange }: EditorProps) {
  const change = (key: string, changed: Partial<ItemRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changed } : row)));
  return (
    <div className={style.items}>
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
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={`Remove item ${index + 1}`}
              onClick={() => onChange(rows.filter((row) => row.key !== key))}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          )}
        </div>
      ))}
      <Button
        variant="subtle"
        size="xs"
        className={style.add}
        disabled={rows.length >= itemsMax}
        leftSection={<Icon name="plus" size={12} />}
        onClick={() => onChange([...rows, newRow()])}
      >
        Add an item
      </Button>
    </div>
  );
}
