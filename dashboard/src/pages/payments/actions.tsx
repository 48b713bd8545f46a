import { Select } from '@mantine/core';
import type { Payment, PaymentsCancelParameters, RefundsCreateParameters } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { AmountInput, amountProblem } from '../../kit/amount_input.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { amountOf, decimalOf, formatMoney } from '../../kit/money.ts';
import { wordsOf } from '../../kit/status.tsx';
import { useMethodWords } from '../../nouns/names.tsx';

type DialogProps = { payment: Payment; onClose(): void };

const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;
const cancelReasons = ['requested_by_customer', 'abandoned', 'duplicate', 'fraudulent'] as const;

/** What can still go back. */
export function refundable({ status, amount_received, amount_refunded = 0 }: Payment): number {
  return status === 'succeeded' ? amount_received - amount_refunded : 0;
}

export function RefundDialog({ payment, onClose }: DialogProps) {
  const { currency, amount_received, amount_refunded = 0 } = payment;
  const max = refundable(payment);
  const { text, setText, amount } = useAmount(max, currency);
  const [reason, setReason] = useState<string | null>(null);
  const { data: card = 'the card' } = useMethodWords(payment.payment_method);
  const shown = formatMoney(amount ?? 0, currency);
  const params: RefundsCreateParameters | undefined =
    amount === undefined
      ? undefined
      : { payment: payment.id, amount, ...(reason !== null && { reason: reason as 'duplicate' }) };
  return (
    <ActionDialog
      title="Refund this payment"
      confirm={`Refund ${shown}`}
      isDangerous
      params={params}
      preview={[
        `${shown} is returned to ${card} and deducted from your balance. The payment fee is not returned.`,
        `${formatMoney(amount_refunded + (amount ?? 0), currency)} of ${formatMoney(amount_received, currency)} is then refunded.`,
        <>
          Your webhook endpoints get <code>refund.created</code>, and <code>payment.refunded</code> once it has
          succeeded.
        </>,
      ]}
      run={(api, sent, options) => api.refunds.create(sent, options)}
      done={(refund) => `Refund of ${formatMoney(refund.amount, currency)}: ${refund.status}`}
      onClose={onClose}
    >
      <AmountInput label="Amount" text={text} currency={currency} max={max} onChange={setText} />
      <ReasonSelect reasons={refundReasons} reason={reason} onChange={setReason} />
    </ActionDialog>
  );
}

export function CaptureDialog({ payment, onClose }: DialogProps) {
  const { currency, amount_capturable = 0 } = payment;
  const { text, setText, amount } = useAmount(amount_capturable, currency);
  const shown = formatMoney(amount ?? 0, currency);
  const rest = amount_capturable - (amount ?? 0);
  return (
    <ActionDialog
      title="Capture this payment"
      confirm={`Capture ${shown}`}
      params={amount === undefined ? undefined : { amount }}
      preview={[
        `${shown} is charged to the card and added to your balance, minus the fee.`,
        ...(rest > 0 && amount !== undefined
          ? [`${formatMoney(rest, currency)} is released. It cannot be captured later.`]
          : []),
        endpointsGet('payment.succeeded'),
      ]}
      run={(api, params, options) => api.payments.capture(payment.id, params, options)}
      done={({ amount_received }) => `Captured ${formatMoney(amount_received, currency)}`}
      onClose={onClose}
    >
      <AmountInput label="Amount" text={text} currency={currency} max={amount_capturable} onChange={setText} />
    </ActionDialog>
  );
}

export function CancelDialog({ payment, onClose }: DialogProps) {
  const [reason, setReason] = useState<string | null>(null);
  const shown = formatMoney(payment.amount, payment.currency);
  const params: PaymentsCancelParameters = reason === null ? {} : { reason: reason as 'duplicate' };
  return (
    <ActionDialog
      title="Cancel this payment"
      confirm={`Cancel the payment of ${shown}`}
      dismiss="Go back"
      isDangerous
      params={params}
      preview={[
        `The payment of ${shown} is canceled, and its authorization is released, if any. The cardholder is not charged.`,
        endpointsGet('payment.canceled'),
      ]}
      run={(api, sent, options) => api.payments.cancel(payment.id, sent, options)}
      done={() => `Payment of ${shown} canceled`}
      onClose={onClose}
    >
      <ReasonSelect reasons={cancelReasons} reason={reason} onChange={setReason} />
    </ActionDialog>
  );
}

/** All of it, until somebody says less. */
function useAmount(max: number, currency: string) {
  const [text, setText] = useState(() => decimalOf(max, currency));
  const amount = amountProblem(text, currency, max) === undefined ? amountOf(text, currency) : undefined;
  return { text, setText, amount };
}

type ReasonProps = { reasons: readonly string[]; reason: string | null; onChange(reason: string | null): void };

function ReasonSelect({ reasons, reason, onChange }: ReasonProps) {
  const data = reasons.map((value) => ({ value, label: wordsOf(value) }));
  return <Select label="Reason" placeholder="None" clearable data={data} value={reason} onChange={onChange} />;
}
