import { localeTags } from '../../../locales/index.ts';
import type { MailContact } from '../../../operations/extension_points/mail_contacts.ts';
import type { Context } from '../../../operations/operation.ts';
import type { CheckoutSession, CollectedDetails, ShopperDetails } from './checkout_session.ts';
import { apiError } from './errors.ts';

/** A field of the page, and the text that says what is wrong with it. */
export type FieldProblem = { field: string; key: 'required' | 'invalid' | 'too_long' | 'try_another' };

const charsMax = { email: 254, name: 256, phone: 40 } as const;
const addressCharsMax = 256;
const addressParts = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const;
export const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Customers agree only to terms that they can read. */
export async function checkTermsLink(
  { hasTerms, tenant }: Pick<Context, 'hasTerms' | 'tenant'>,
  collect: { terms?: boolean | null } | null | undefined,
): Promise<void> {
  if (collect?.terms !== true || (await hasTerms(tenant))) return;
  throw apiError('parameter_invalid', {
    param: 'collect.terms',
    reason: 'it needs the link to your terms: an owner sets terms_url in the branding',
  });
}

/** What the page asks for: not for terms whose link was removed from the branding. */
export async function collectedBy(
  { brandingOf, tenant }: Pick<Context, 'brandingOf' | 'tenant'>,
  { collect }: Pick<CheckoutSession, 'collect'>,
): Promise<CollectedDetails> {
  if (collect?.terms !== true) return collect ?? {};
  const { termsUrl } = await brandingOf(tenant);
  return { ...collect, terms: termsUrl !== undefined };
}

/** What is wrong with what the customer has typed. The email is required, unless the session has a customer. */
export function detailProblems(
  { collect, customer, customer_details }: Pick<CheckoutSession, 'collect' | 'customer' | 'customer_details'>,
  { terms, address = {}, ...typed }: ShopperDetails & { terms?: boolean },
): FieldProblem[] {
  const { name = false, phone = false, billing_address = 'none', terms: needsTerms = false } = collect ?? {};
  const needed = { email: customer === null && customer_details?.email === undefined, name, phone };
  const problems: FieldProblem[] = [];
  for (const field of ['email', 'name', 'phone'] as const) {
    const text = typed[field]?.trim() ?? '';
    if (text === '' && needed[field]) problems.push({ field, key: 'required' });
    if ([...text].length > charsMax[field]) problems.push({ field, key: 'too_long' });
    else if (field === 'email' && text !== '' && !emailForm.test(text)) problems.push({ field, key: 'invalid' });
  }
  const required =
    billing_address === 'none' ? [] : billing_address === 'country' ? ['country'] : ['line1', 'city', 'country'];
  for (const part of addressParts) {
    const text = address[part]?.trim() ?? '';
    if (text === '' && required.includes(part)) problems.push({ field: part, key: 'required' });
    if ([...text].length > addressCharsMax) problems.push({ field: part, key: 'too_long' });
    else if (part === 'country' && text !== '' && !/^[A-Za-z]{2}$/.test(text))
      problems.push({ field: part, key: 'invalid' });
  }
  if (needsTerms && terms !== true) problems.push({ field: 'terms', key: 'required' });
  return problems;
}

/** Whom mails about a session are written to; undefined: what was typed was erased. `auto`: the browser knew the language, and we do not. */
export function guestOf({
  customer_details,
  locale,
}: Pick<CheckoutSession, 'customer_details' | 'locale'>): MailContact | undefined {
  if (customer_details === null) return undefined;
  const { email, address } = customer_details;
  return {
    email,
    address: address as MailContact['address'],
    locale: localeTags.find((tag) => tag === locale) ?? null,
  };
}
