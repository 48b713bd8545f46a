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

const addressNames = ['line1', 'line2', 'postal_code', 'city', 'state', 'country'] as const;
const detailNames = ['name', 'email', 'phone', 'tax_id', 'locale'] as const;

type Texts = Record<(typeof addressNames)[number] | (typeof detailNames)[number], string>;

/** What has changed. An address is sent as a whole: null where nothing is left of it. */
function changesOf({ address = {}, ...before }: Partial<Customer>, { tax_id, locale, ...texts }: Texts) {
  const parts = Object.fromEntries(addressNames.map((part) => [part, texts[part]]));
  const isMoved = Object.keys(changedFields(address as Record<string, string>, parts)).length > 0;
  const filled = Object.entries(parts).flatMap(([part, text]) => (text.trim() === '' ? [] : [[part, text.trim()]]));
  const { name, email, phone } = texts;
  return {
    ...changedFields(before as Partial<Record<string, string>>, { name, email, phone, tax_id, locale }),
    ...(isMoved && { address: filled.length === 0 ? null : Object.fromEntries(filled) }),
  };
}

function fieldsOf({ name = '', email = '', phone = '', address, tax_id = '', locale, metadata }: Partial<Customer>) {
  return {
    name: textField('Name', name, { maxLength: 256, hasFocus: true }),
    email: textField('Email', email, { maxLength: 254, type: 'email' }),
    phone: textField('Phone', phone, { maxLength: 40 }),
    line1: textField('Address', address?.line1 ?? '', { maxLength: 256, description: 'For invoices and receipts' }),
    line2: textField('Second line', address?.line2 ?? '', { maxLength: 256 }),
    postal_code: textField('Postal code', address?.postal_code ?? '', { maxLength: 256 }),
    city: textField('City', address?.city ?? '', { maxLength: 256 }),
    state: textField('State', address?.state ?? '', { maxLength: 256 }),
    country: textField('Country', address?.country ?? '', { maxLength: 2, placeholder: 'Two letters, such as DE' }),
    tax_id: textField('Tax ID', tax_id, { maxLength: 64 }),
    locale: textField('Language', locale ?? '', {
      maxLength: 5,
      placeholder: 'Of documents, such as de; English if empty',
    }),
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
        ...changesOf({}, texts),
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
  const { id, metadata } = customer;
  return form({
    title: 'Edit this customer',
    fields: fieldsOf(customer),
    describe({ metadata: pairs, ...texts }) {
      const { params, sentences } = describeUpdate(changesOf(customer, texts), metadata, pairs);
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
