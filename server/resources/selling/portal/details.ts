import { escapeHtml } from '../../../base/page.ts';
import { countriesIn } from '../../../locales/formats.ts';
import type { TextKey } from '../../../locales/texts.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { emailForm } from '../checkout_sessions/details.ts';
import { type PortalVisit, trouble, type View, wayBack } from './visit.ts';

type DetailName = 'name' | 'email' | 'phone' | 'line1' | 'line2' | 'postal_code' | 'city' | 'country' | 'tax_id';

const fields: readonly { name: DetailName; label?: TextKey; autocomplete: string; max: number; type?: string }[] = [
  { name: 'name', label: 'full_name', autocomplete: 'name', max: 256 },
  { name: 'email', label: 'email', autocomplete: 'email', max: 254, type: 'email' },
  { name: 'phone', label: 'phone', autocomplete: 'tel', max: 40, type: 'tel' },
  { name: 'line1', label: 'address', autocomplete: 'address-line1', max: 256 },
  { name: 'line2', label: 'address', autocomplete: 'address-line2', max: 256 },
  { name: 'postal_code', label: 'postal_code', autocomplete: 'postal-code', max: 256 },
  { name: 'city', label: 'city', autocomplete: 'address-level2', max: 256 },
  { name: 'country', label: 'country', autocomplete: 'country', max: 2 },
  { name: 'tax_id', autocomplete: 'off', max: 64 },
];

type DetailValues = Partial<Record<DetailName, string>>;

function valuesOf({ name, email, phone, address, tax_id }: Customer): DetailValues {
  const { line1, line2, postal_code, city, country } = address ?? {};
  const all = { name, email, phone, line1, line2, postal_code, city, country, tax_id };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value != null));
}

export function detailsSection(visit: PortalVisit): string {
  const { words, who, settings } = visit;
  const { name, email, phone, address } = who.customer;
  const place = [address?.line1, address?.line2, [address?.postal_code, address?.city].filter(Boolean).join(' ')];
  const texts = [name, email, phone, ...place, address?.country && countryName(visit, address.country)].filter(Boolean);
  const lines = texts.map((text) => `<li><bdi>${escapeHtml(text!)}</bdi></li>`).join('');
  const list = texts.length === 0 ? `<p class="quiet">${words.text('none')}</p>` : `<ul>${lines}</ul>`;
  const edit = settings.edit_details
    ? `<p class="next"><a href="${who.base}/details">${words.text('edit')}</a></p>`
    : '';
  return `<section id="details"><h2>${words.html('contact')}</h2>${list}${edit}</section>`;
}

function countryName({ words }: PortalVisit, code: string): string {
  return countriesIn(words.locale).find((one) => one.code === code)?.name ?? code;
}

export const detailsView: View = {
  async show(visit) {
    if (!visit.settings.edit_details) return undefined;
    return detailsPage(visit, valuesOf(visit.who.customer), []);
  },
  async act(visit, _id, form) {
    const { calls, who } = visit;
    const typed = Object.fromEntries(fields.map(({ name }) => [name, (form.get(name) ?? '').trim()])) as DetailValues;
    const wrong = fields.filter((field) => !isRight(field, typed[field.name]!)).map(({ name }) => name);
    if (wrong.length > 0) return detailsPage(visit, typed, wrong);
    const { error } = await calls.change(who, 'customers.update', who.customer.id, updateOf(typed, who.customer));
    return error === undefined ? { goTo: `${who.base}?saved#details` } : detailsPage(visit, typed, [], true);
  },
};

/** An email that a customer has is not given up: it is how the customer signs in. */
function isRight({ name, max }: (typeof fields)[number], value: string): boolean {
  if (value.length > max || /\p{Cc}/u.test(value)) return false;
  if (name === 'email') return emailForm.test(value);
  return name !== 'country' || value === '' || /^[A-Z]{2}$/.test(value);
}

/** What the form has no field for stays as it is. */
function updateOf(
  { name, email, phone, tax_id, ...parts }: DetailValues,
  { address }: Customer,
): Record<string, unknown> {
  const orNull = (value: string | undefined) => (value === '' || value === undefined ? null : value);
  const all = { name: orNull(name), email: orNull(email), phone: orNull(phone), tax_id: orNull(tax_id) };
  return { ...all, address: { ...(address?.state && { state: address.state }), ...parts } };
}

function detailsPage(visit: PortalVisit, typed: DetailValues, wrong: readonly DetailName[], hasFailed = false) {
  const { words, who, hidden } = visit;
  const inputs = fields.map((field) => row(visit, field, typed[field.name] ?? '', wrong.includes(field.name)));
  const texts = [
    ...(wrong.length > 0 ? [words.html('problem')] : []),
    ...(hasFailed ? [words.text('not_possible')] : []),
  ];
  const problems = texts.length === 0 ? '' : trouble(texts);
  const button = `<button class="first">${words.text('save')}</button>`;
  const path = `${who.base}/details`;
  return {
    title: words.plain('contact'),
    content: `${problems}<form method="post" action="${path}" novalidate>${hidden}${inputs.join('')}${button}</form>${wayBack(words, who.base)}`,
    status: texts.length === 0 ? 200 : 400,
  };
}

function row(visit: PortalVisit, field: (typeof fields)[number], value: string, isWrong: boolean): string {
  const { words } = visit;
  const { name, label, autocomplete, max, type = 'text' } = field;
  const second = name === 'line2' ? ' 2' : '';
  const text = label === undefined ? words.document('tax_id') : `${words.html(label)}${second}`;
  const tied = isWrong ? ` aria-invalid="true" aria-describedby="${name}-problem"` : '';
  const problem = isWrong ? `<p class="problem" id="${name}-problem">${words.html('invalid')}</p>` : '';
  const attributes = `id="${name}" name="${name}" autocomplete="${autocomplete}"${tied}`;
  const input =
    name === 'country'
      ? `<select ${attributes}>${countryOptions(visit, value)}</select>`
      : `<input type="${type}" maxlength="${max}" value="${escapeHtml(value)}" ${attributes}>`;
  return `<div class="field"><label for="${name}">${text}</label>${input}${problem}</div>`;
}

function countryOptions({ words }: PortalVisit, chosen: string): string {
  const options = countriesIn(words.locale).map(
    ({ code, name }) => `<option value="${code}"${code === chosen ? ' selected' : ''}>${escapeHtml(name)}</option>`,
  );
  return `<option value=""></option>${options.join('')}`;
}
