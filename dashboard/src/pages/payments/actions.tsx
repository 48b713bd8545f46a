import { Select } from '@mantine/core';
import type { Payment } from '@tollgate/node';
import { ActionDialog, type OpenDialog } from '../../kit/action_dialog.tsx';
import { AmountInput, amountWithin } from '../../kit/amount_input.tsx';
import { changedFields } from '../../kit/changed_fields.ts';
import { type InputProps, useDialogForm } from '../../kit/dialog_form.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, textareaField } from '../../kit/form_dialog.tsx';
import { describeUpdate } from '../../kit/metadata_change.ts';
import { metadataField } from '../../kit/metadata_fields.tsx';
import { decimalOf, formatMoney } from '../../kit/money.ts';
import { statusInWords, wordsOf } from '../../kit/status.tsx';
import { useMethodWords } from '../../nouns/names.tsx';

const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;
type RefundReason = (typeof refundReasons)[number];
const cancelReasons = ['requested_by_customer', 'abandoned', 'duplicate', 'fraudulent'] as const;
type CancelReason = (typeof cancelReasons)[number];

/** What can still go back. */
export function refundable({ status, amount_received, amount_refunded = 0 }: Payment): number {
  return status === 'succeeded' ? amount_received - amount_refunded : 0;
}

export function RefundDialog({ payment, onClose }: { payment: Payment; onClose(): void }) {
  const { currency, amount_received, amount_refunded = 0 } = payment;
  const max = refundable(payment);
  const { values, input, held } = useDialogForm('refund', () => ({
    amount: decimalOf(max, currency),
    reason: null as RefundReason | null,
  }));
  const { reason } = values;
  const { data: charged = 'the payment method' } = useMethodWords(payment.payment_method);
  const amount = amountWithin(values.amount, currency, max);
  const shown = amount === undefined ? '' : formatMoney(amount, currency);
  return (
    <ActionDialog
      title="Refund this payment"
      {...held}
      confirm={`Refund ${shown}`.trim()}
      isDangerous
      params={amount === undefined ? undefined : { payment: payment.id, amount, ...(reason !== null && { reason }) }}
      preview={
        amount === undefined
          ? [`Enter an amount up to ${formatMoney(max, currency)}.`]
          : [
              `${shown} is returned to ${charged} and deducted from your balance. The payment fee is not returned.`,
              `${formatMoney(amount_refunded + amount, currency)} of ${formatMoney(amount_received, currency)} is then refunded.`,
              <>
                Your webhook endpoints get <code>refund.created</code>, and <code>payment.refunded</code> once it has
                succeeded.
              </>,
            ]
      }
      run={(api, sent, options) => api.refunds.create(sent, options)}
      done={(refund) => `Refund of ${formatMoney(refund.amount, currency)}: ${statusInWords(refund.status)}`}
      onClose={onClose}
    >
      <AmountInput label="Amount" currency={currency} max={max} {...input('amount')} />
      <ReasonSelect reasons={refundReasons} {...input('reason')} />
    </ActionDialog>
  );
}

export function capturePayment({ id, currency, amount_capturable = 0 }: Payment): OpenDialog {
  return form({
    title: 'Capture this payment',
    fields: {
      amount: field(decimalOf(amount_capturable, currency), (input) => (
        <AmountInput label="Amount" currency={currency} max={amount_capturable} {...input} />
      )),
    },
    describe({ amount: text }) {
      const amount = amountWithin(text, currency, amount_capturable);
      if (amount === undefined)
        return {
          confirm: 'Capture',
          params: undefined,
          preview: [`Enter an amount up to ${formatMoney(amount_capturable, currency)}.`],
        };
      const shown = formatMoney(amount, currency);
      const rest = amount_capturable - amount;
      return {
        confirm: `Capture ${shown}`,
        params: { amount },
        preview: [
          `${shown} is charged to the payment method and added to your balance, minus the fee.`,
          ...(rest > 0 ? [`${formatMoney(rest, currency)} is released. It cannot be captured later.`] : []),
          endpointsGet('payment.succeeded'),
        ],
      };
    },
    run: (api, params, options) => api.payments.capture(id, params, options),
    done: ({ amount_received }) => `Captured ${formatMoney(amount_received, currency)}`,
  });
}

export function cancelPayment({ id, amount, currency }: Payment): OpenDialog {
  const shown = formatMoney(amount, currency);
  return form({
    title: 'Cancel this payment',
    dismiss: 'Go back',
    fields: {
      reason: field<CancelReason | null>(null, (input) => <ReasonSelect reasons={cancelReasons} {...input} />),
    },
    describe: ({ reason }) => ({
      confirm: `Cancel the payment of ${shown}`,
      isDangerous: true,
      params: reason === null ? {} : { reason },
      preview: [
        `The payment of ${shown} is canceled, and its authorization is released, if any. The customer is not charged.`,
        endpointsGet('payment.canceled'),
      ],
    }),
    run: (api, params, options) => api.payments.cancel(id, params, options),
    done: () => `Payment of ${shown} canceled`,
  });
}

/** The description and the metadata, in every status. */
export function editPayment({ id, description: before = '', metadata }: Payment): OpenDialog {
  return form({
    title: 'Edit this payment',
    fields: {
      description: textareaField('Description', before, { maxLength: 1_000, hasFocus: true }),
      metadata: metadataField(metadata),
    },
    describe({ description, metadata: pairs }) {
      const changes = changedFields({ description: before }, { description });
      const { params, sentences } = describeUpdate(changes, metadata, pairs);
      return {
        confirm: 'Save the payment',
        params,
        preview: [...sentences, 'No money moves.', endpointsGet('payment.updated')],
      };
    },
    run: (api, params, options) => api.payments.update(id, params, options),
    done: () => 'Payment saved',
  });
}

type ReasonProps<Reason extends string> = InputProps<Reason | null> & { reasons: readonly Reason[] };

function ReasonSelect<Reason extends string>({ reasons, ...input }: ReasonProps<Reason>) {
  const data = reasons.map((reason) => ({ value: reason, label: wordsOf(reason) }));
  return <Select label="Reason" placeholder="None" clearable data={data} {...input} />;
}
