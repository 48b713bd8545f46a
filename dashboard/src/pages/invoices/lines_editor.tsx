import { Group, Input, Stack, TextInput } from '@mantine/core';
import type { Price } from '@tollgate/node';
import type { InputProps } from '../../kit/dialog_form.tsx';
import { digitsOf } from '../../kit/money.ts';
import { AddRow, RemoveRow } from '../../kit/row_buttons.tsx';
import { PriceSelect } from '../../nouns/billing_selects.tsx';
import { isBlank, type LineRow, quantityOf, signedAmountOf } from './lines.ts';
import style from './lines_editor.module.css';

const linesMax = 50;

export const newAmount = (): LineRow => ({ key: crypto.randomUUID(), kind: 'amount', description: '', amount: '' });
const newPrice = (): LineRow => ({ key: crypto.randomUUID(), kind: 'price', price: null, quantity: '1' });

type EditorProps = InputProps<LineRow[]> & { currency: string; prices: readonly Price[] };

/** The lines that are added: amounts with their descriptions, and prices. */
export function LinesEditor({ value: rows, onChange, error, currency, prices, ...input }: EditorProps) {
  const isFull = rows.length >= linesMax;
  return (
    <Stack gap={8} {...input}>
      {rows.map((row, at) => (
        <div key={row.key} className={style.line}>
          <LineInputs
            row={row}
            number={at + 1}
            currency={currency}
            prices={prices}
            onChange={(changed) => onChange(rows.toSpliced(at, 1, changed))}
          />
          <RemoveRow label={`Remove line ${at + 1}`} onClick={() => onChange(rows.toSpliced(at, 1))} />
        </div>
      ))}
      <Group gap="md">
        <AddRow label="Add an amount" isOff={isFull} onClick={() => onChange([...rows, newAmount()])} />
        <AddRow label="Add a price" isOff={isFull} onClick={() => onChange([...rows, newPrice()])} />
      </Group>
      {error && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}

type LineProps = Pick<EditorProps, 'currency' | 'prices'> & {
  row: LineRow;
  number: number;
  onChange(row: LineRow): void;
};

function LineInputs({ row, number, currency, prices, onChange }: LineProps) {
  if (row.kind === 'price')
    return <PriceInputs row={row} number={number} currency={currency} prices={prices} onChange={onChange} />;
  const digits = digitsOf(currency);
  const problem = digits === 0 ? 'Enter a whole number' : `Enter a number with at most ${digits} decimal places`;
  return (
    <>
      <TextInput
        label={`Description ${number}`}
        autoComplete="off"
        maxLength={1_000}
        value={row.description}
        error={!isBlank(row) && row.amount.trim() !== '' && row.description.trim() === '' && 'What is it for?'}
        onChange={(event) => onChange({ ...row, description: event.currentTarget.value })}
      />
      <TextInput
        label={`Amount ${number}`}
        inputMode="text"
        autoComplete="off"
        placeholder={digits === 0 ? '2000' : `20.${'0'.repeat(digits)}`}
        value={row.amount}
        error={row.amount.trim() !== '' && signedAmountOf(row.amount, currency) === undefined && problem}
        rightSection={currency.toUpperCase()}
        rightSectionWidth={48}
        onChange={(event) => onChange({ ...row, amount: event.currentTarget.value })}
      />
    </>
  );
}

function PriceInputs({ row, number, currency, prices, onChange }: LineProps & { row: { kind: 'price' } }) {
  const price = prices.find(({ id }) => id === row.price);
  const isForeign = price !== undefined && price.currency !== currency;
  return (
    <>
      <PriceSelect
        label={`Price ${number}`}
        value={row.price}
        error={isForeign && `It is in ${price.currency.toUpperCase()}, and the invoice is in ${currency.toUpperCase()}`}
        onChange={(value) => onChange({ ...row, price: value })}
      />
      <TextInput
        label={`Quantity ${number}`}
        inputMode="numeric"
        autoComplete="off"
        value={row.quantity}
        error={quantityOf(row.quantity) === undefined && '1 to 1,000,000'}
        onChange={(event) => onChange({ ...row, quantity: event.currentTarget.value })}
      />
    </>
  );
}
