import { Group, Select, TextInput } from '@mantine/core';
import { amountOf, currencies, digitsOf } from './money.ts';

/** An amount as it stands in a form. */
export type MoneyText = { text: string; currency: string };

type MoneyProps = {
  label: string;
  value: MoneyText;
  onChange(value: MoneyText): void;
  /** The currency is given, and cannot be chosen. */
  isFixed?: boolean;
  hasFocus?: boolean;
};

/** In the smallest unit; undefined if it is no amount of the currency. */
export function moneyOf({ text, currency }: MoneyText): number | undefined {
  return amountOf(text, currency);
}

/** An amount and its currency. */
export function MoneyField({ label, value, onChange, isFixed = false, hasFocus = false }: MoneyProps) {
  const { text, currency } = value;
  const digits = digitsOf(currency);
  const problem = digits === 0 ? 'Enter a whole number' : `Enter a number with at most ${digits} decimal places`;
  return (
    <Group gap={8} wrap="nowrap" align="start">
      <TextInput
        flex={1}
        miw={0}
        label={label}
        inputMode="decimal"
        autoComplete="off"
        placeholder={digits === 0 ? '2000' : `20.${'0'.repeat(digits)}`}
        value={text}
        error={text !== '' && moneyOf(value) === undefined && problem}
        data-autofocus={hasFocus || undefined}
        onChange={(event) => onChange({ text: event.currentTarget.value, currency })}
      />
      <Select
        w="7rem"
        label="Currency"
        searchable
        allowDeselect={false}
        disabled={isFixed}
        data={currencies}
        value={currency.toUpperCase()}
        onChange={(chosen) => onChange({ text, currency: (chosen ?? currency).toLowerCase() })}
      />
    </Group>
  );
}
