import type { Invoice } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { formatMoney } from '../../kit/money.ts';
import { useRead, useRefresh } from '../../kit/read.ts';
import { MethodSelect, useMethodsOf } from '../../nouns/billing_selects.tsx';
import { useChargedMethod } from '../../nouns/charged_method.ts';
import { methodWords } from '../../nouns/payment_method_words.ts';

/** With the payment method that would be charged by itself, or with another one of the customer. */
export function PayDialog({ invoice, onClose }: { invoice: Invoice; onClose(): void }) {
  const { id, customer, number, amount_remaining, currency, subscription } = invoice;
  const [chosen, setChosen] = useState<string | null>(null);
  const usual = useUsualMethod(customer, subscription);
  const method = chosen ?? usual ?? null;
  const charged = useMethodsOf(customer).data?.data.find((one) => one.id === method);
  const refresh = useRefresh();
  const shown = formatMoney(amount_remaining, currency);
  return (
    <ActionDialog
      title={`Pay ${number ?? 'this invoice'}`}
      confirm={`Charge ${shown}`}
      params={method === null ? undefined : { payment_method: method }}
      preview={[
        `${shown} is charged to ${charged === undefined ? 'the payment method' : methodWords(charged)} and added to your balance, minus the fee. The customer is not asked to authenticate.`,
        'If it is declined, the invoice does not change.',
        <>
          Your webhook endpoints get <code>invoice.paid</code> and <code>payment.succeeded</code>, or{' '}
          <code>invoice.payment_failed</code>.
        </>,
      ]}
      run={(api, params, options) =>
        // A decline is noted on the invoice too.
        api.invoices.pay(id, params, options).catch(async (error: unknown) => {
          await refresh();
          throw error;
        })
      }
      done={({ status }) => (status === 'paid' ? `${number} is paid` : `Payment of ${number} in progress`)}
      onClose={onClose}
    >
      <MethodSelect
        label="Payment method"
        placeholder="Select a payment method"
        customer={customer}
        value={method}
        onChange={setChosen}
      />
    </ActionDialog>
  );
}

/** What would be charged by itself. */
function useUsualMethod(customer: string, subscription: string | undefined): string | undefined {
  const { data } = useRead(
    ['subscriptions', subscription],
    (api, options) => api.subscriptions.retrieve(subscription!, options),
    { isEnabled: subscription !== undefined },
  );
  const method = useChargedMethod({ customer, default_payment_method: data?.default_payment_method });
  return subscription !== undefined && data === undefined ? undefined : method;
}
