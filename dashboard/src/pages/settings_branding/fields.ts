import type { Branding, BrandingUpdateParameters } from '@tollgate/node';

const names = [
  'display_name',
  'color',
  'support_email',
  'support_address',
  'statement_descriptor',
  'terms_url',
  'privacy_url',
  'legal_name',
  'legal_address',
  'tax_id',
  'document_footer',
] as const;

/** What is typed. An empty text is not set. */
export type BrandingFields = Record<(typeof names)[number], string>;

/** The logo that is to be: as it is, none, or a file that was chosen. */
export type LogoChoice = { kind: 'kept' } | { kind: 'none' } | { kind: 'file'; file: File; base64: string };

export function fieldsOf(branding: Branding): BrandingFields {
  return Object.fromEntries(names.map((name) => [name, branding[name] ?? ''])) as BrandingFields;
}

/** What differs from what is stored; undefined where nothing does. */
export function changesOf(
  branding: Branding,
  fields: BrandingFields,
  logo: LogoChoice,
): BrandingUpdateParameters | undefined {
  const before = fieldsOf(branding);
  const after = Object.fromEntries(names.map((name) => [name, fields[name].trim()])) as BrandingFields;
  const isSame = (name: (typeof names)[number]) =>
    name === 'color' ? before.color === after.color.toLowerCase() : before[name] === after[name];
  const changed = names.filter((name) => !isSame(name)).map((name) => [name, after[name]]);
  if (logo.kind !== 'kept') changed.push(['logo', logo.kind === 'file' ? logo.base64 : '']);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

const bytesMax = 131_072;
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** Why a file cannot be the logo, as far as a browser knows; the gateway reads it strictly. */
export function problemOfFile({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!logoTypes.includes(type)) return 'Choose a PNG, JPEG or WebP picture.';
  return size > bytesMax ? 'The file must have at most 128 KB.' : undefined;
}

export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
