import { Group, Input, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { IdLink } from '../../kit/id_link.tsx';
import { RemoveRow } from '../../kit/row_buttons.tsx';
import { PriceSelect } from '../../nouns/billing_selects.tsx';
import { usePrices } from '../../nouns/names.tsx';
import { priceWords } from '../../nouns/price_words.ts';
import { pricesMax } from './fields.ts';
import style from './portal.module.css';

type PricesProps = { value: readonly string[]; onChange(prices: string[]): void; error: ReactNode };

/** The prices among which customers can change. */
export function PricesInput({ value, onChange, error }: PricesProps) {
  const prices = usePrices(value);
  const add = (id: string | null) => {
    if (id !== null && !value.includes(id)) onChange([...value, id]);
  };
  return (
    <Input.Wrapper
      label="Change the price"
      labelElement="div"
      description="Among these prices, if that of the subscription is one of them. A change is charged at once."
      error={error}
      data-path="change_price"
    >
      <Stack gap={4} mt="xs">
        {value.map((id) => {
          const price = prices.get(id);
          const words = price === undefined ? id : priceWords(price);
          return (
            <Group key={id} gap="xs" wrap="nowrap" justify="space-between" className={style.price}>
              {price === undefined ? <IdLink id={id} /> : <span dir="auto">{words}</span>}
              <RemoveRow label={`Remove ${words}`} onClick={() => onChange(value.filter((one) => one !== id))} />
            </Group>
          );
        })}
        {value.length === 1 && <p className="quiet">One price is no choice: add another one.</p>}
        {/* Another input after each choice: an empty one. */}
        {value.length < pricesMax && <PriceSelect key={value.length} label="Add a price" value={null} onChange={add} />}
      </Stack>
    </Input.Wrapper>
  );
}
