import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { MaybeText, ObjectKind, Parameters, Text, Whole } from '../../../operations/schemas.ts';
import { type BrandingFields, logoPath, textColorOn } from './branding.ts';

export const logoLimits = { bytesMax: 131_072, pixelsMax: 2_048 };
const base64Max = Math.ceil(logoLimits.bytesMax / 3) * 4;
const urlMax = 2_048;

const address = (what: string) =>
  Type.Optional(
    Type.String({ maxLength: urlMax, description: `${what}: an https address of up to 2,048 characters.` }),
  );

export const BrandingInput = Parameters({
  display_name: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Who is paid, in one line of up to 100 characters. Without it, the name of the account is shown.',
    }),
  ),
  logo: Type.Optional(
    Type.String({
      maxLength: base64Max,
      description:
        'The file of a picture in base64: PNG, JPEG or WebP, of at most 128 KB, up to 2,048 pixels wide and high, without animation. Its metadata are dropped. Documents and mails show no WebP.',
    }),
  ),
  color: Type.Optional(
    Type.String({
      pattern: '^#[0-9A-Fa-f]{6}$',
      normalize: (color: string) => color.toLowerCase(),
      description: 'Colour of the buttons, such as #0a7d5a: # and six hexadecimal digits',
    }),
  ),
  support_email: Type.Optional(
    Type.String({
      maxLength: 254,
      format: 'email',
      description: 'Where customers ask for help: an email address of up to 254 characters.',
    }),
  ),
  support_address: Type.Optional(
    Type.String({ maxLength: 300, description: 'A postal address of up to 6 lines and 300 characters.' }),
  ),
  statement_descriptor: Type.Optional(
    Type.String({
      maxLength: 22,
      description:
        'What customers find on the statement of their card: 5 to 22 letters, digits, spaces and . , & / + _ # -, with at least one letter. Processors get it where they can show it; Stripe shows it after the name of your account there.',
    }),
  ),
  terms_url: address('Your terms'),
  privacy_url: address('Your privacy policy'),
  legal_name: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Who sells, on invoices and receipts, in one line of up to 200 characters. Without it, the display name is printed.',
    }),
  ),
  legal_address: Type.Optional(
    Type.String({
      maxLength: 300,
      description: 'The address of the seller, on invoices and receipts: up to 6 lines and 300 characters.',
    }),
  ),
  tax_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The tax id of the seller, in one line of up to 64 characters.' }),
  ),
  document_footer: Type.Optional(
    Type.String({
      maxLength: 400,
      description: 'At the end of each page of an invoice or receipt: up to 4 lines and 400 characters.',
    }),
  ),
});

const Logo = Type.Object(
  {
    url: Text('Where it is served. A changed logo has another address.'),
    type: Text('Its media type: image/png, image/jpeg or image/webp.'),
    width: Whole('In pixels.'),
    height: Whole('In pixels.'),
  },
  { title: 'Logo', description: 'Present when there is one.' },
);

export const BrandingOutput = Type.Object(
  {
    object: ObjectKind('branding'),
    display_name: MaybeText('Who is paid; absent: the name of the account is shown.'),
    logo: Type.Optional(Logo),
    color: MaybeText('The colour of the buttons, in lower case; present when supplied.'),
    text_color: MaybeText(
      'The colour of the text on `color`, with a contrast of at least 4.5:1; present with `color`.',
    ),
    support_email: MaybeText('Where customers ask for help; present when supplied.'),
    support_address: MaybeText('The postal address; present when supplied.'),
    statement_descriptor: MaybeText('What customers find on the statement of their card; present when supplied.'),
    terms_url: MaybeText('Your terms; present when supplied.'),
    privacy_url: MaybeText('Your privacy policy; present when supplied.'),
    legal_name: MaybeText('Who sells, on invoices and receipts; absent: the display name is printed.'),
    legal_address: MaybeText('The address of the seller; present when supplied.'),
    tax_id: MaybeText('The tax id of the seller; present when supplied.'),
    document_footer: MaybeText('What stands at the end of each page of a document; present when supplied.'),
  },
  { title: 'Branding', description: 'How the account shows itself to those who pay it, in both modes.' },
);
type ShownBranding = Static<typeof BrandingOutput>;

export function serializeBranding({ logo, ...fields }: BrandingFields, publicUrl: string): ShownBranding {
  const { color } = fields;
  const shown = {
    display_name: fields.display_name,
    logo: logo && { ...shownLogo(logo), url: `${publicUrl}${logoPath(logo.name)}` },
    color,
    text_color: color && textColorOn(color),
    support_email: fields.support_email,
    support_address: fields.support_address,
    statement_descriptor: fields.statement_descriptor,
    terms_url: fields.terms_url,
    privacy_url: fields.privacy_url,
    legal_name: fields.legal_name,
    legal_address: fields.legal_address,
    tax_id: fields.tax_id,
    document_footer: fields.document_footer,
  };
  const present = Object.entries(shown).filter(([, value]) => value !== null);
  return { object: 'branding', ...Object.fromEntries(present) } as ShownBranding;
}

function shownLogo({ type, width, height }: NonNullable<BrandingFields['logo']>) {
  return { url: '', type, width, height };
}
