import { Checkbox, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { CardError, type PaymentsCreateParameters } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useDraft, useDrafted } from '../../kit/draft.ts';
import { formatMoney } from '../../kit/money.ts';
import { MoneyField, type MoneyText, moneyOf } from '../../kit/money_field.tsx';
import { useRefresh } from '../../kit/read.ts';
import { statusInWords } from '../../kit/tones.ts';
import { CustomerSelect } from '../../nouns/billing_selects.tsx';
import { useMethodWords } from '../../nouns/names.tsx';
import { ChargedMethod, useProposedMethod } from './charged_method.tsx';

type CaptureMethod = 'automatic' | 'manual';

function useFields(given: string | undefined) {
  const draft = useDraft('payment');
  const [customer, setCustomer] = useDrafted<string | null>(draft, 'customer', given ?? null);
  const [method, setMethod] = useDrafted<string | null>(draft, 'method', null);
  const [money, setMoney] = useDrafted<MoneyText>(draft, 'money', { text: '', currency: 'eur' });
  const [description, setDescription] = useDrafted(draft, 'description', '');
  const [capture, setCapture] = useDrafted<CaptureMethod>(draft, 'capture', 'automatic');
  const [returnUrl, setReturnUrl] = useDrafted(draft, 'returnUrl', '');
  const [offSession, setOffSession] = useDrafted(draft, 'offSession', false);
  const texts = { customer, method, money, description, capture, returnUrl, offSession };
  return {
    draft,
    texts,
    setMethod,
    setMoney,
    setDescription,
    setCapture,
    setReturnUrl,
    setOffSession,
    setCustomer(chosen: string | null) {
      setCustomer(chosen);
      setMethod(null);
    },
  };
}

/** Undefined while something is missing. */
function paramsOf(texts: ReturnType<typeof useFields>['texts']): PaymentsCreateParameters | undefined {
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

/** Charges a stored payment method. */
export function NewPaymentDialog({ customer: given, onClose }: { customer?: string; onClose(): void }) {
  const refresh = useRefresh();
  const fields = useFields(given);
  const proposed = useProposedMethod(fields.texts.customer);
  const texts = { ...fields.texts, method: fields.texts.method ?? proposed };
  const params = paramsOf(texts);
  const { data: charged = 'the payment method' } = useMethodWords(texts.method ?? undefined);
  const shown = params === undefined ? '' : formatMoney(params.amount, params.currency);
  const isManual = texts.capture === 'manual';
  return (
    <ActionDialog
      title="Create a payment"
      draft={fields.draft}
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
      <MoneyField label="Amount" value={texts.money} onChange={fields.setMoney} hasFocus />
      {given === undefined && <CustomerSelect value={texts.customer} onChange={fields.setCustomer} isClearable />}
      <ChargedMethod customer={texts.customer} value={texts.method} onChange={fields.setMethod} onClose={onClose} />
      <More fields={fields} />
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

function More({ fields }: { fields: ReturnType<typeof useFields> }) {
  const { texts, setDescription, setCapture, setReturnUrl, setOffSession } = fields;
  return (
    <>
      <Textarea
        label="Description"
        maxLength={1_000}
        autosize
        minRows={1}
        value={texts.description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Capture method"
        value={texts.capture}
        onChange={(value) => setCapture(value as CaptureMethod)}
        data={[
          { value: 'automatic', label: 'Capture now' },
          { value: 'manual', label: 'Authorize only' },
        ]}
      />
      <Checkbox
        label="The customer is not present (off-session)"
        description="You charge a saved payment method on your own initiative, as agreed with the customer."
        checked={texts.offSession}
        onChange={(event) => setOffSession(event.currentTarget.checked)}
      />
      {!texts.offSession && (
        <TextInput
          label="Return URL"
          description="Where the customer returns after authentication. Optional."
          placeholder="https://…"
          maxLength={2_048}
          value={texts.returnUrl}
          onChange={(event) => setReturnUrl(event.currentTarget.value)}
        />
      )}
    </>
  );
}
