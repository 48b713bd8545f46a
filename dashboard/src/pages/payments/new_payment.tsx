import { Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { CardError, type Payment, type PaymentsCreateParameters } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { type DialogForm, useDialogForm } from '../../kit/dialog_form.tsx';
import { decimalOf, formatMoney, moneyOf } from '../../kit/money.ts';
import { MoneyInputs } from '../../kit/money_field.tsx';
import { useRefresh } from '../../kit/read.ts';
import { statusInWords } from '../../kit/tones.ts';
import { CustomerSelect } from '../../nouns/billing_selects.tsx';
import { useMethodWords } from '../../nouns/names.tsx';
import { ChargedMethod, useProposedMethod } from './charged_method.tsx';

type CaptureMethod = 'automatic' | 'manual';

function initialTexts(customer: string | undefined, like: Payment | undefined) {
  return {
    customer: like?.customer ?? customer ?? null,
    method: like === undefined || isLost(like) ? null : (like.payment_method ?? null),
    money:
      like === undefined
        ? { text: '', currency: 'eur' }
        : { text: decimalOf(like.amount, like.currency), currency: like.currency },
    description: like?.description ?? '',
    capture: (like?.capture_method ?? 'automatic') as CaptureMethod,
    returnUrl: '',
    offSession: like?.off_session === true && like.advice !== 'authenticate',
  };
}

/** Whether the method of a payment that has failed should not be charged again: then that of the customer is proposed. */
const isLost = ({ advice }: Payment) => advice === 'never' || advice === 'another_method' || advice === 'update_card';

type Texts = ReturnType<typeof initialTexts>;

const sentBy = {
  payment_method: 'method',
  amount: 'money',
  currency: 'money.currency',
  return_url: 'returnUrl',
  off_session: 'offSession',
};

/** Undefined while something is missing. */
function paramsOf(texts: Texts): PaymentsCreateParameters | undefined {
  const { customer, method, money, description, capture, returnUrl, offSession } = texts;
  const amount = moneyOf(money);
  if (method === null || amount === undefined || amount < 1) return undefined;
  return {
    amount,
    currency: money.currency,
    payment_method: method,
    ...(customer !== null && { customer }),
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(capture === 'manual' && { capture_method: capture }),
    ...(offSession && { off_session: true }),
    ...(!offSession && returnUrl.trim() !== '' && { return_url: returnUrl.trim() }),
  };
}

type NewPaymentProps = {
  customer?: string;
  /** A payment that has failed, to charge the same again. */
  like?: Payment;
  onClose(): void;
};

/** Charges a stored payment method. */
export function NewPaymentDialog({ customer, like, onClose }: NewPaymentProps) {
  const refresh = useRefresh();
  const given = like?.customer ?? customer;
  const form = useDialogForm<Texts>('payment', () => initialTexts(given, like), sentBy);
  const { values, setValues, input, part, held } = form;
  const proposed = useProposedMethod(values.customer);
  const texts = { ...values, method: values.method ?? proposed };
  const params = paramsOf(texts);
  const { data: charged = 'the payment method' } = useMethodWords(texts.method ?? undefined);
  const shown = params === undefined ? '' : formatMoney(params.amount, params.currency);
  const isManual = texts.capture === 'manual';
  return (
    <ActionDialog
      title={like === undefined ? 'Create a payment' : 'Charge again'}
      {...held}
      confirm={params === undefined ? 'Charge' : `${isManual ? 'Authorize' : 'Charge'} ${shown}`}
      params={params}
      preview={previewOf(shown, charged, texts)}
      run={async (api, sent, options) => {
        try {
          return await api.payments.create(sent, options);
        } catch (error) {
          // A payment that was declined is there, and belongs into the list behind the dialog.
          if (error instanceof CardError) void refresh();
          throw error;
        }
      }}
      leadsTo={({ id }) => `/payments/${id}`}
      done={({ amount, currency, status }) => `Payment of ${formatMoney(amount, currency)}: ${statusInWords(status)}`}
      onClose={onClose}
    >
      <MoneyInputs label="Amount" hasFocus {...input('money')} currency={part('money', 'currency')} />
      {given === undefined && (
        <CustomerSelect
          isClearable
          {...input('customer')}
          onChange={(customer) => setValues({ customer, method: null })}
        />
      )}
      <ChargedMethod customer={texts.customer} {...input('method')} value={texts.method} onClose={onClose} />
      <More form={form} />
    </ActionDialog>
  );
}

function previewOf(shown: string, charged: string, texts: { capture: CaptureMethod; offSession: boolean }) {
  if (shown === '') return ['Enter an amount and select a payment method.'];
  const isManual = texts.capture === 'manual';
  const outcome = isManual
    ? `${shown} is authorized on ${charged}. Nothing is charged until you capture it, within 7 days.`
    : `${shown} is charged to ${charged} now and added to your balance, minus the fee.`;
  return [
    outcome,
    texts.offSession
      ? 'If the bank requires authentication, the payment is declined.'
      : 'If the customer must authenticate, the payment page shows the link.',
    <>
      Your webhook endpoints get <code>{isManual ? 'payment.requires_capture' : 'payment.succeeded'}</code>
      {!texts.offSession && (
        <>
          , <code>payment.requires_action</code>
        </>
      )}{' '}
      or <code>payment.failed</code>.
    </>,
  ];
}

function More({ form: { values, input } }: { form: DialogForm<Texts> }) {
  const { value: offSession, ...offSessionInput } = input('offSession');
  return (
    <>
      <Textarea label="Description" maxLength={1_000} autosize minRows={1} {...input('description')} />
      <SegmentedControl
        aria-label="Capture method"
        value={values.capture}
        onChange={input('capture').onChange}
        data={[
          { value: 'automatic', label: 'Capture now' },
          { value: 'manual', label: 'Authorize only' },
        ]}
      />
      <Checkbox
        label="The customer is not present (off-session)"
        description="You charge a saved payment method on your own initiative, as agreed with the customer."
        checked={offSession}
        {...offSessionInput}
      />
      {!offSession && (
        <TextInput
          label="Return URL"
          description="Where the customer returns after authentication. Optional."
          placeholder="https://…"
          maxLength={2_048}
          {...input('returnUrl')}
        />
      )}
    </>
  );
}
