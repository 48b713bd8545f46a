import { Select } from '@mantine/core';
import { CardError, type PaymentsCreateParameters, type RequestOptions, type Tollgate } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { AmountInput, amountWithin } from '../../kit/amount_input.tsx';
import { useDialogForm } from '../../kit/dialog_form.tsx';
import { decimalOf, formatMoney } from '../../kit/money.ts';
import { brandName } from '../../nouns/payment_method_words.ts';
import { detailsOf, grouped, type TestCard } from '../../nouns/test_cards.ts';

/** A payment that was made here, and what the API said at once if it was declined. */
export type Paid = { payment: string; card: TestCard; refusal?: { message: string; request: string | undefined } };

const currencies = ['eur', 'usd', 'gbp', 'jpy', 'kwd'];
const amountMax = 99_999_999;
const usualAmount = 2000;

type PayProps = { card: TestCard; onPaid(paid: Paid): void; onClose(): void };

export function PayDialog({ card, onPaid, onClose }: PayProps) {
  const { values, setValues, input, held } = useDialogForm(card.id, () => ({
    currency: 'eur',
    amount: decimalOf(usualAmount, 'eur'),
  }));
  const { currency } = values;
  const amount = amountWithin(values.amount, currency, amountMax);
  const shown = amount === undefined ? '' : formatMoney(amount, currency);
  return (
    <ActionDialog
      title={`Pay with ${grouped(card.id)}`}
      confirm={`Pay ${shown}`.trim()}
      params={amount === undefined ? undefined : { amount, currency }}
      preview={[
        `A test payment ${shown && `of ${shown} `}with ${brandName(card.brand)} •••• ${card.id.slice(-4)} is created. No money moves.`,
        <>
          {card.words}
          {card.code && (
            <>
              : <code>{[card.code, card.declineCode].filter(Boolean).join(', ')}</code>
            </>
          )}
          .
        </>,
        <>
          Your webhook endpoints get <code>{eventOf(card)}</code>.
        </>,
      ]}
      run={(api, params, options) => pay(api, card, params, options)}
      done={(paid) => {
        onPaid(paid);
        return paid.refusal?.message ?? `Payment of ${shown} created`;
      }}
      onClose={onClose}
      {...held}
    >
      <AmountInput label="Amount" currency={currency} max={amountMax} {...input('amount')} />
      <Select
        label="Currency"
        data={currencies.map((value) => ({ value, label: value.toUpperCase() }))}
        allowDeselect={false}
        {...input('currency')}
        onChange={(wanted) =>
          wanted !== null && setValues({ currency: wanted, amount: decimalOf(amount ?? usualAmount, wanted) })
        }
      />
    </ActionDialog>
  );
}

function eventOf({ result, scenario }: TestCard): string {
  if (result === 'declined') return 'payment.failed';
  if (result === 'challenged') return 'payment.requires_action';
  return result === 'never_received' || scenario === 'reply_lost' ? 'payment.processing' : 'payment.succeeded';
}

type Amount = Pick<PaymentsCreateParameters, 'amount' | 'currency'>;

/** A decline is what one of these cards is for: it is a result, not a failure. */
async function pay(api: Tollgate, card: TestCard, amount: Amount, options: RequestOptions): Promise<Paid> {
  const method = await api.paymentMethods.create(
    { type: 'card', card: detailsOf(card, new Date().getFullYear()) },
    { ...options, idempotencyKey: `${options.idempotencyKey}-card` },
  );
  try {
    const description = `Test card ${grouped(card.id).slice(-4)}`;
    const { id } = await api.payments.create({ ...amount, payment_method: method.id, description }, options);
    return { payment: id, card };
  } catch (error) {
    if (!(error instanceof CardError) || error.payment === undefined) throw error;
    return { payment: error.payment, card, refusal: { message: error.message, request: error.requestId } };
  }
}
