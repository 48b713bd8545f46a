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
        `${words} belongs to this customer alone from now on, and can be charged again and again.`,
        endpointsGet('payment_method.attached'),
      ]}
      run={(api, params, options) => api.paymentMethods.attach(method.id, params, options)}
      done={() => `${words} is attached`}
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
        `${words} can never again be charged or attached. Its number is deleted about a minute later.`,
        ...(isDefault ? ['The customer has no default payment method any more: subscriptions cannot be charged.'] : []),
        'Payments that were made with it stay as they are, and can be refunded.',
        endpointsGet('payment_method.detached'),
      ]}
      run={(api, _params, options) => api.paymentMethods.detach(method.id, {}, options)}
      done={() => `${words} is detached`}
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
        `${words} pays for the subscriptions of this customer.`,
        'Open invoices whose charge has failed are charged to it at once.',
        endpointsGet('customer.updated'),
      ]}
      run={(api, params, options) => api.customers.update(customer, params, options)}
      done={() => `${words} is the default`}
      onClose={onClose}
    />
  );
}
