import { Radio, Stack, TextInput } from '@mantine/core';
import type { Subscription } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useDialogForm } from '../../kit/dialog_form.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { CouponSelect, MethodSelect } from '../../nouns/billing_selects.tsx';
import { useChargedWords } from '../../nouns/charged_method.ts';
import { PreviewTable, usePreview } from '../../nouns/invoice_preview.tsx';
import { useMethodWords } from '../../nouns/names.tsx';

type DialogProps = { subscription: Subscription; onClose(): void };

const updated = endpointsGet('subscription.updated');

export function CouponDialog({ subscription, onClose }: DialogProps) {
  const { id, coupon: before = null } = subscription;
  const [coupon, setCoupon] = useState<string | null>(before);
  const isOther = coupon !== before;
  const preview = usePreview(isOther && coupon !== null ? { subscription: id, coupon } : undefined);
  const due = preview.invoice && formatMoney(preview.invoice.amount_due, preview.invoice.currency);
  return (
    <ActionDialog
      title="Change the coupon"
      isWide
      confirm={
        isOther && coupon === null
          ? 'Remove the coupon'
          : due === undefined
            ? 'Apply the coupon'
            : `Apply: next invoice ${due}`
      }
      params={isOther ? { coupon } : undefined}
      preview={[
        !isOther
          ? 'Select another coupon, or none.'
          : coupon === null
            ? 'New invoices have no discount.'
            : 'Its duration starts now. Pending items do not change.',
        updated,
      ]}
      run={(api, sent, options) => api.subscriptions.update(id, sent, options)}
      done={() => (coupon === null ? 'Coupon removed' : 'Coupon applied')}
      onClose={onClose}
    >
      <CouponSelect value={coupon} onChange={setCoupon} />
      <PreviewTable title="The next invoice" preview={preview} />
    </ActionDialog>
  );
}

export function MethodDialog({ subscription, onClose }: DialogProps) {
  const { id, customer, default_payment_method: before = null } = subscription;
  const [method, setMethod] = useState<string | null>(before);
  const words = useMethodWords(method ?? undefined).data;
  return (
    <ActionDialog
      title="Change the payment method"
      confirm={
        method === null ? "Charge the customer's default" : `Charge ${words ?? 'this payment method'} from now on`
      }
      params={method === before ? undefined : { default_payment_method: method }}
      preview={
        method === before
          ? ['Select another payment method.']
          : [
              method === null
                ? 'The default payment method of the customer is charged from now on.'
                : `${words ?? 'This payment method'} is charged from now on.`,
              'Failed open invoices are retried with it immediately.',
              updated,
            ]
      }
      run={(api, sent, options) => api.subscriptions.update(id, sent, options)}
      done={() => 'Payment method changed'}
      onClose={onClose}
    >
      <MethodSelect
        label="Payment method"
        placeholder="The customer's default"
        isClearable
        customer={customer}
        value={method}
        onChange={setMethod}
      />
    </ActionDialog>
  );
}

/** While trialing: another end of the trial, or its end now. */
export function TrialDialog({ subscription, onClose }: DialogProps) {
  const { id, trial_end = 0, billing_cycle_anchor } = subscription;
  const { values, input, held } = useDialogForm('trial', () => ({ day: '', isNow: true }), { trial_end: 'day' });
  const { day, isNow } = values;
  const charged = useChargedWords(subscription) ?? 'the payment method';
  const { invoice } = usePreview({ subscription: id });
  const due =
    invoice && billing_cycle_anchor === trial_end ? formatMoney(invoice.amount_due, invoice.currency) : undefined;
  const at = Math.floor(new Date(`${day}T00:00:00`).getTime() / 1_000);
  const params = isNow ? { trial_end: 'now' as const } : Number.isNaN(at) ? undefined : { trial_end: at };
  return (
    <ActionDialog
      title="Change the trial"
      {...held}
      confirm={
        isNow
          ? due === undefined
            ? 'End the trial now'
            : `End the trial and charge ${due}`
          : 'Change the end of the trial'
      }
      params={params}
      preview={[
        isNow ? (
          `The first period starts now, and ${due ?? 'its amount'} is charged to ${charged}.`
        ) : params === undefined ? (
          'Select a day.'
        ) : (
          <>
            Nothing is charged before <Moment seconds={at} />. The first period starts then.
          </>
        ),
        updated,
      ]}
      run={(api, sent, options) => api.subscriptions.update(id, sent, options)}
      done={({ status }) => (status === 'trialing' ? 'Trial end changed' : 'Trial ended')}
      onClose={onClose}
    >
      <Radio.Group
        label="The trial"
        value={isNow ? 'now' : 'later'}
        onChange={(value) => input('isNow').onChange(value === 'now')}
      >
        <Stack gap={8} mt={6}>
          <Radio value="now" size="xs" label="Ends now" />
          <Radio
            value="later"
            size="xs"
            label={
              <>
                Ends on another day than <Moment seconds={trial_end} />
              </>
            }
          />
        </Stack>
      </Radio.Group>
      {!isNow && <TextInput type="date" label="The first period starts on" {...input('day')} />}
    </ActionDialog>
  );
}
