import { type DocumentTextKey, type DocumentTexts, documentEnglish } from './document_texts.ts';
import * as translations from './document_words/index.ts';
import { inEveryLocale } from './every_locale.ts';
import { type Locale, locales } from './index.ts';
import { english, type TextKey } from './texts.ts';

export const documentLocales = inEveryLocale<DocumentTexts>(documentEnglish, translations);

/** A text of a document in a locale; those that pages have too are in their list. */
export function documentText({ tag }: Locale, key: DocumentTextKey | keyof SharedTexts): string {
  const own: DocumentTexts = documentLocales[tag];
  if (key in documentEnglish) return own[key as DocumentTextKey] ?? documentEnglish[key as DocumentTextKey];
  return locales[tag][key as keyof SharedTexts] ?? english[key as keyof SharedTexts];
}

/** Texts of pages without values to fill in. */
type SharedTexts = Pick<
  typeof english,
  TextKey & ('quantity' | 'subtotal' | 'discount' | 'total' | 'amount' | 'payment_method' | 'reference' | 'test_mode')
>;
