import type { Customer, CustomersCreateParameters } from '@tollgate/node';
import type { OpenDialog } from '../../kit/action_dialog.tsx';
import { changedFields } from '../../kit/changed_fields.ts';
import { endpointsGet } from '../../kit/endpoints_get.tsx';
import { field, form, textField } from '../../kit/form_dialog.tsx';
import { describeUpdate, metadataChange, pairsProblem } from '../../kit/metadata_change.ts';
import { metadataField } from '../../kit/metadata_fields.tsx';
import { ClockSelect } from '../../nouns/billing_selects.tsx';
import { customerName } from '../../nouns/names.tsx';
import type { Mode } from '../../session/rights.ts';

function fieldsOf({ name = '', email = '', phone = '', metadata }: Partial<Customer>) {
  return {
    name: textField('Name', name, { maxLength: 256, hasFocus: true }),
    email: textField('Email', email, { maxLength: 254, type: 'email' }),
    phone: textField('Phone', phone, { maxLength: 40 }),
    metadata: metadataField(metadata),
  };
}

export function createCustomer(mode: Mode): OpenDialog {
  return form({
    title: 'Create a customer',
    fields: {
      ...fieldsOf({}),
      test_clock: field<string | null>(null, (input) => (
        <ClockSelect description="The customer always uses this clock. Leave empty for real time." {...input} />
      )),
    },
    describe({ metadata: pairs, test_clock, ...texts }) {
      const metadata = metadataChange({}, pairs);
      const params = {
        ...changedFields({}, texts),
        ...(Object.keys(metadata).length > 0 && { metadata }),
        ...(test_clock !== null && { test_clock }),
      } as CustomersCreateParameters;
      return {
        confirm: texts.name.trim() === '' ? 'Create the customer' : `Create ${texts.name.trim()}`,
        params: pairsProblem(pairs) === undefined ? params : undefined,
        preview: [
          'You can then add payment methods, payments and subscriptions. Nothing is charged.',
          endpointsGet('customer.created'),
        ],
        hidden: mode === 'live' ? ['test_clock'] : [],
      };
    },
    run: (api, params, options) => api.customers.create(params, options),
    done: (customer) => `${customerName(customer)} created`,
    leadsTo: ({ id }) => `/customers/${id}`,
  });
}

export function editCustomer(customer: Customer): OpenDialog {
  const { id, name = '', email = '', phone = '', metadata } = customer;
  return form({
    title: 'Edit this customer',
    fields: fieldsOf(customer),
    describe({ metadata: pairs, ...texts }) {
      const { params, sentences } = describeUpdate(changedFields({ name, email, phone }, texts), metadata, pairs);
      return {
        confirm: `Save ${customerName(customer)}`,
        params,
        preview: [...sentences, endpointsGet('customer.updated')],
      };
    },
    run: (api, params, options) => api.customers.update(id, params, options),
    done: (saved) => `${customerName(saved)} saved`,
  });
}
