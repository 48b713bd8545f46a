import { createHash } from 'node:crypto';
import type { Image, ImageType } from '../../../base/images/read_image.ts';
import type { AccountId } from '../accounts/account.ts';

/** The file of a logo, by a name that follows from its content: what is at an address never changes. */
export type Logo = { name: string; type: ImageType; width: number; height: number };

/** How an account shows itself to those who pay it. What it has not set is null. */
export type Branding = {
  account: AccountId;
  version: number;
  display_name: string | null;
  logo: Logo | null;
  /** `#` and six lower-case hexadecimal digits. */
  color: string | null;
  support_email: string | null;
  support_address: string | null;
  statement_descriptor: string | null;
  terms_url: string | null;
  privacy_url: string | null;
  /** Who sells, on invoices and receipts. */
  legal_name: string | null;
  legal_address: string | null;
  tax_id: string | null;
  document_footer: string | null;
};

export type BrandingFields = Omit<Branding, 'account' | 'version'>;

export const unset: BrandingFields = {
  display_name: null,
  logo: null,
  color: null,
  support_email: null,
  support_address: null,
  statement_descriptor: null,
  terms_url: null,
  privacy_url: null,
  legal_name: null,
  legal_address: null,
  tax_id: null,
  document_footer: null,
};

export function fieldsOf({ account: _account, version: _version, ...fields }: Branding): BrandingFields {
  return fields;
}

const endings = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const satisfies Record<
  ImageType,
  string
>;

/** Two accounts with the same picture have a file each, so that one can remove its own. */
export function logoOf(account: AccountId, { bytes, type, width, height }: Image): Logo {
  const hash = createHash('sha256').update(account).update(bytes).digest('hex').slice(0, 32);
  return { name: `${hash}.${endings[type]}`, type, width, height };
}

export const logoPath = (name: string) => `/logos/${name}`;

/** The least contrast of normal text with what is behind it: WCAG 2.2, 1.4.3. */
export const contrastMin = 4.5;

/** The colour of text on a colour: white where it can be read well, black elsewhere. One of the two always can. */
export function textColorOn(color: string): '#ffffff' | '#000000' {
  return contrast('#ffffff', color) >= contrastMin ? '#ffffff' : '#000000';
}

/** From 1 (the same) to 21 (black on white): WCAG 2.2, contrast ratio. */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
