import type { PaymentMethod } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { CustomerSelect } from '../../nouns/billing_selects.tsx';
import { methodWords } from '../../nouns/names.tsx';

type DialogProps = { method: PaymentMethod; onClose(): void };

export function AttachDialog({ method, onClose }: DialogProps) {
  const [customer, setCustomer] = useState<string | null>(null);
  const words = methodWords(method);
  return (
    <ActionDialog
      title="Attach this card to a customer"
      confirm={`Attach ${words}`}
      params={customer === null ? undefined : { customer }}
      preview={[
        `${words} is saved for this customer and can be charged again.`,
        endpointsGet('payment_method.attached'),
      ]}
      run={(api, params, options) => api.paymentMethods.attach(method.id, params, options)}
      done={() => `${words} attached`}
      onClose={onClose}
    >
      <CustomerSelect value={customer} onChange={setCustomer} />
    </ActionDialog>
  );
}

export function DetachDialog({ method, isDefault, onClose }: DialogProps & { isDefault: boolean }) {
  const words = methodWords(method);
  return (
    <ActionDialog
      title="Detach this card"
      confirm={`Detach ${words}`}
      isDangerous
      params={{}}
      preview={[
        `${words} can no longer be charged or attached. Its number is deleted about a minute later.`,
        ...(isDefault ? ['The customer will have no default payment method, so subscriptions cannot be charged.'] : []),
        'Existing payments do not change and can be refunded.',
        endpointsGet('payment_method.detached'),
      ]}
      run={(api, _params, options) => api.paymentMethods.detach(method.id, {}, options)}
      done={() => `${words} detached`}
      onClose={onClose}
    />
  );
}

export function DefaultDialog({ method, customer, onClose }: DialogProps & { customer: string }) {
  const words = methodWords(method);
  return (
    <ActionDialog
      title="Make this card the default"
      confirm={`Make ${words} the default`}
      params={{ default_payment_method: method.id }}
      preview={[
        `${words} is charged for the subscriptions of this customer.`,
        'Open invoices with a failed charge are charged to it immediately.',
        endpointsGet('customer.updated'),
      ]}
      run={(api, params, options) => api.customers.update(customer, params, options)}
      done={() => `${words} is now the default`}
      onClose={onClose}
    />
  );
}
