import type { Sheet, SheetBlock, SheetLogo } from '../../../documents/sheet.ts';
import { documentText } from '../../../locales/document_wording.ts';
import { type Locale, type LocaleTag, localeOf } from '../../../locales/index.ts';
import type { Context } from '../../../operations/operation.ts';
import { logoPath } from './branding.ts';
import type { SellerDetails, ShownToCustomers } from './shown.ts';
import { findLogo } from './store.ts';

type AddressPart = 'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country';

/** Who gets a document, as far as it is known. */
export type Recipient = {
  name?: string | null;
  email?: string | null;
  address?: Readonly<Partial<Record<AddressPart, string>>> | null;
  tax_id?: string | null;
  locale?: LocaleTag | null;
};

/** What every document of an account has, whatever it is about. */
export type Letterhead = Pick<
  Sheet,
  'language' | 'direction' | 'han' | 'seller' | 'logo' | 'color' | 'notice' | 'blocks' | 'footer'
>;

const usualColor = '#3f3f46';

/** The language of the recipient, with the dates and amounts of its country. */
export function documentLocale({ locale, address }: Recipient): Locale {
  const tag = locale ?? 'en';
  const [language] = tag.split('-');
  const hasRegion = tag.includes('-') || !address?.country;
  return hasRegion ? localeOf(tag) : localeOf(tag, `${language}-${address.country}`);
}

export async function letterheadOf(
  context: Pick<Context, 'reads' | 'tenant' | 'mode' | 'brandingOf'>,
  { seller, buyer, locale }: { seller: SellerDetails; buyer: Recipient | null; locale: Locale },
): Promise<Letterhead> {
  const branding = await context.brandingOf(context.tenant);
  const logo = await logoIn(context, branding);
  const blocks = [sellerBlock(seller, locale), ...(buyer === null ? [] : [buyerBlock(buyer, locale)])];
  return {
    language: locale.tag,
    direction: locale.dir,
    han: hanOf(locale, blocks),
    seller: branding.name,
    ...(logo && { logo }),
    color: branding.colors?.background ?? usualColor,
    ...(context.mode === 'test' && { notice: documentText(locale, 'test_mode') }),
    blocks,
    footer: seller.footer?.split('\n') ?? [],
  };
}

/** pdfkit cannot draw WebP: the name stands in its place. */
async function logoIn({ reads }: Pick<Context, 'reads'>, { logo }: ShownToCustomers): Promise<SheetLogo | undefined> {
  if (logo === undefined || logo.path.endsWith('.webp')) return undefined;
  const file = await findLogo(reads, logo.path.slice(logoPath('').length));
  return file && { bytes: file.bytes, width: logo.width, height: logo.height };
}

function sellerBlock({ name, address, tax_id }: SellerDetails, locale: Locale): SheetBlock {
  return {
    heading: documentText(locale, 'seller'),
    lines: [name, ...(address?.split('\n') ?? []), ...taxLine(tax_id, locale)],
  };
}

function buyerBlock({ name, email, address, tax_id }: Recipient, locale: Locale): SheetBlock {
  const lines = [name, ...addressLines(address ?? {}, locale), email, ...taxLine(tax_id, locale)];
  return { heading: documentText(locale, 'bill_to'), lines: lines.filter((line) => line) as string[] };
}

function taxLine(id: string | null | undefined, locale: Locale): string[] {
  return id ? [`${documentText(locale, 'tax_id')}: ${id}`] : [];
}

/** A line for each part that is there, and the country by its name. */
function addressLines(address: NonNullable<Recipient['address']>, { tag }: Locale): string[] {
  const { line1, line2, city, state, postal_code, country } = address;
  const place = [postal_code, city].filter(Boolean).join(' ');
  const named = country && new Intl.DisplayNames(tag, { type: 'region', fallback: 'code' }).of(country);
  return [line1, line2, place, state, named].filter((line) => line) as string[];
}

/** Names and addresses show which of three ways of writing Chinese characters is meant. */
function hanOf({ tag }: Locale, blocks: readonly SheetBlock[]): Sheet['han'] {
  const text = blocks.flatMap(({ lines }) => lines).join();
  if (tag === 'ja' || /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : 'sc';
}
