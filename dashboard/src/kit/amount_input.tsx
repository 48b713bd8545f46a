import { TextInput } from '@mantine/core';
import type { InputProps } from './dialog_form.tsx';
import { amountOf, digitsOf, formatMoney } from './money.ts';

type AmountProps = InputProps<string> & { label: string; currency: string; max: number };

/** Why an amount cannot be sent; undefined if it can. */
function amountProblem(text: string, currency: string, max: number): string | undefined {
  const amount = amountOf(text, currency);
  if (amount === undefined) {
    const digits = digitsOf(currency);
    return digits === 0 ? 'Enter a whole number' : `Enter a number with at most ${digits} decimal places`;
  }
  if (amount < 1) return 'Must be more than 0';
  return amount > max ? `At most ${formatMoney(max, currency)}` : undefined;
}

/** Undefined if it cannot be sent. */
export function amountWithin(text: string, currency: string, max: number): number | undefined {
  return amountProblem(text, currency, max) === undefined ? amountOf(text, currency) : undefined;
}

/** An amount of a currency, as people write it. */
export function AmountInput({ label, currency, max, error, ...input }: AmountProps) {
  return (
    <TextInput
      label={label}
      description={`At most ${formatMoney(max, currency)}`}
      inputMode="decimal"
      autoComplete="off"
      data-autofocus
      rightSection={currency.toUpperCase()}
      rightSectionWidth={52}
      {...input}
      error={amountProblem(input.value, currency, max) ?? error}
    />
  );
}
