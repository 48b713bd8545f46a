import { Group, Select, TextInput } from '@mantine/core';
import type { InputProps } from './dialog_form.tsx';
import { type Field, field } from './form_dialog.tsx';
import { currencies, digitsOf, type MoneyText, moneyOf } from './money.ts';

type MoneyOptions = {
  /** The currency is given, and cannot be chosen. */
  isFixed?: boolean;
  hasFocus?: boolean;
};

/** An amount and its currency. */
export function moneyField(
  label: string,
  { currency = 'eur', ...options }: MoneyOptions & { currency?: string | undefined } = {},
): Field<MoneyText> {
  return field({ text: '', currency }, (input, part) => (
    <MoneyInputs label={label} {...options} {...input} currency={part('currency')} />
  ));
}

type MoneyProps = MoneyOptions & InputProps<MoneyText> & { label: string; currency: InputProps<string> };

export function MoneyInputs({ label, isFixed = false, hasFocus = false, currency: chosen, ...input }: MoneyProps) {
  const { text, currency } = input.value;
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
        data-autofocus={hasFocus || undefined}
        {...input}
        value={text}
        error={text !== '' && moneyOf(input.value) === undefined ? problem : input.error}
        onChange={(event) => input.onChange({ text: event.currentTarget.value, currency })}
      />
      <Select
        w="7rem"
        label="Currency"
        searchable
        allowDeselect={false}
        disabled={isFixed}
        data={currencies}
        openOnFocus={!chosen.error}
        {...chosen}
        value={currency.toUpperCase()}
        onChange={(code) => code !== null && chosen.onChange(code.toLowerCase())}
      />
    </Group>
  );
}
