import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import type { SubscriptionsCreateParameters } from '@tollgate/node';
import type { ReactNode } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { type DialogForm, useDialogForm } from '../../kit/dialog_form.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { statusInWords } from '../../kit/status.tsx';
import { CouponSelect, CustomerSelect, MethodSelect } from '../../nouns/billing_selects.tsx';
import { useChargedWords } from '../../nouns/charged_method.ts';
import { type Preview, PreviewTable, usePreview } from '../../nouns/invoice_preview.tsx';
import { newItemsOf } from './items.ts';
import { ItemsEditor, newRow } from './items_editor.tsx';

function initialFields(customer: string | undefined) {
  return {
    customer: customer ?? null,
    rows: [newRow()],
    method: null as string | null,
    coupon: null as string | null,
    trial: '',
    isLimited: false,
  };
}

type Fields = ReturnType<typeof initialFields>;

const sentBy = {
  items: 'rows',
  default_payment_method: 'method',
  trial_days: 'trial',
  cancel_at_period_end: 'isLimited',
};

const secondsOfDay = 86_400;
const trialMax = 730;

/** Subscribes a customer, and leads to the subscription. */
export function CreateDialog({ customer, onClose }: { customer: string | undefined; onClose(): void }) {
  const form = useDialogForm('subscription', () => initialFields(customer), sentBy);
  const { values: fields, held } = form;
  const params = paramsOf(fields);
  const preview = usePreview(params && firstInvoice(params));
  const charged = useChargedWords({ customer: fields.customer, default_payment_method: fields.method });
  return (
    <ActionDialog
      title="Create a subscription"
      {...held}
      isWide
      confirm={confirmOf(params, preview)}
      params={preview.isCurrent && preview.invoice !== undefined ? params : undefined}
      preview={sentencesOf(params, preview, charged)}
      run={(api, sent, options) => api.subscriptions.create(sent, options)}
      done={({ status }) => `Subscription created: ${statusInWords(status)}`}
      leadsTo={({ id }) => `/subscriptions/${id}`}
      onClose={onClose}
    >
      <FormFields form={form} isFor={customer} />
      <PreviewTable title="The first invoice" preview={preview} />
    </ActionDialog>
  );
}

type FormProps = { form: DialogForm<Fields>; isFor: string | undefined };

function FormFields({ form: { values, setValues, input }, isFor }: FormProps) {
  const { value: isLimited, ...limit } = input('isLimited');
  const { error, ...trial } = input('trial');
  return (
    <>
      {isFor === undefined && (
        <CustomerSelect
          hasFocus
          {...input('customer')}
          onChange={(customer) => setValues({ customer, method: null })}
        />
      )}
      <ItemsEditor {...input('rows')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <CouponSelect {...input('coupon')} />
        <TextInput
          label="Trial, in days"
          placeholder="None"
          inputMode="numeric"
          autoComplete="off"
          {...trial}
          error={trialOf(trial.value) === undefined ? `1 to ${trialMax}` : error}
        />
      </SimpleGrid>
      <MethodSelect
        label="Payment method"
        placeholder="The customer's default"
        isClearable
        customer={values.customer}
        {...input('method')}
      />
      <Checkbox label="End after the first period" checked={isLimited} {...limit} />
    </>
  );
}

/** 0 without a trial; undefined if the API would refuse it. */
function trialOf(text: string): number | undefined {
  if (text.trim() === '') return 0;
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= trialMax ? days : undefined;
}

function paramsOf({ customer, rows, method, coupon, trial, isLimited }: Fields) {
  const [items, days] = [newItemsOf(rows), trialOf(trial)];
  if (customer === null || items === undefined || days === undefined) return undefined;
  const params: SubscriptionsCreateParameters = {
    customer,
    items,
    ...(method !== null && { default_payment_method: method }),
    ...(coupon !== null && { coupon }),
    ...(days > 0 && { trial_days: days }),
    ...(isLimited && { cancel_at_period_end: true }),
  };
  return params;
}

function firstInvoice({ customer, items, coupon }: SubscriptionsCreateParameters) {
  return { customer, items, ...(coupon !== undefined && { coupon }) };
}

function confirmOf(params: SubscriptionsCreateParameters | undefined, { invoice, isCurrent }: Preview): string {
  if (params === undefined || invoice === undefined || !isCurrent) return 'Create subscription';
  if (params.trial_days !== undefined) return `Start a trial of ${params.trial_days} days`;
  return invoice.amount_due > 0
    ? `Subscribe and charge ${formatMoney(invoice.amount_due, invoice.currency)}`
    : 'Subscribe without a charge';
}

function sentencesOf(
  params: SubscriptionsCreateParameters | undefined,
  { invoice }: Preview,
  charged: string | undefined,
): ReactNode[] {
  if (params === undefined || invoice === undefined) return ['Select a customer and a price to see the first invoice.'];
  const { trial_days, cancel_at_period_end } = params;
  const { amount_due, currency, created, period_start, period_end } = invoice;
  const due = formatMoney(amount_due, currency);
  const shift = (trial_days ?? 0) * secondsOfDay;
  return [
    trial_days === undefined ? (
      amount_due > 0 ? (
        `${due} is charged now to ${charged ?? 'the payment method'}. If it is declined, the subscription stays incomplete for 23 hours.`
      ) : (
        'Nothing is charged now.'
      )
    ) : (
      <>
        Nothing is charged now. The trial ends on <Moment seconds={created + shift} />: then {due} is charged to{' '}
        {charged ?? 'the payment method'}.
      </>
    ),
    cancel_at_period_end ? (
      'It ends automatically and does not renew.'
    ) : trial_days === undefined ? (
      <>
        It renews on <Moment seconds={period_end} /> and every period after that.
      </>
    ) : (
      <>
        From <Moment seconds={period_start + shift} /> on it renews automatically.
      </>
    ),
    <>
      Your webhook endpoints get <code>subscription.created</code>
      {trial_days === undefined ? (
        <>
          {' '}
          and the events of its invoice, such as <code>invoice.paid</code>.
        </>
      ) : (
        <>
          , and <code>subscription.trial_will_end</code> three days before the end.
        </>
      )}
    </>,
  ];
}
