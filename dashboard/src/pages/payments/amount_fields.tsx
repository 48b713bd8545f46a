import { TextInput } from '@mantine/core';
import { amountProblem } from '../../kit/amount_input.tsx';
import style from './payments.module.css';

const amountMax = 999_999_999_999;
const common = 'eur usd gbp chf jpy sek nok dkk pln czk cad aud'.split(' ');

export function isCurrency(text: string): boolean {
  return /^[a-z]{3}$/i.test(text);
}

type FieldsProps = { amount: string; currency: string; onAmount(text: string): void; onCurrency(text: string): void };

/** How much, in any currency. */
export function AmountFields({ amount, currency, onAmount, onCurrency }: FieldsProps) {
  const isKnown = isCurrency(currency);
  const problem = amount === '' || !isKnown ? undefined : amountProblem(amount, currency, amountMax);
  return (
    <div className={style.amount}>
      <TextInput
        label="Amount"
        placeholder="0.00"
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={amount}
        error={problem}
        onChange={(event) => onAmount(event.currentTarget.value)}
      />
      <TextInput
        label="Currency"
        list="currencies"
        maxLength={3}
        value={currency}
        error={isKnown ? undefined : 'Three letters'}
        onChange={(event) => onCurrency(event.currentTarget.value.toLowerCase())}
      />
      <datalist id="currencies">
        {common.map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
    </div>
  );
}
