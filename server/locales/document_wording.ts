import { type DocumentTextKey, type DocumentTexts, documentEnglish } from './document_texts.ts';
import { ar } from './document_words/ar.ts';
import { bg } from './document_words/bg.ts';
import { cs } from './document_words/cs.ts';
import { da } from './document_words/da.ts';
import { de } from './document_words/de.ts';
import { el } from './document_words/el.ts';
import { es } from './document_words/es.ts';
import { et } from './document_words/et.ts';
import { fi } from './document_words/fi.ts';
import { fr } from './document_words/fr.ts';
import { he } from './document_words/he.ts';
import { hr } from './document_words/hr.ts';
import { hu } from './document_words/hu.ts';
import { it } from './document_words/it.ts';
import { ja } from './document_words/ja.ts';
import { lt } from './document_words/lt.ts';
import { lv } from './document_words/lv.ts';
import { nb } from './document_words/nb.ts';
import { nl } from './document_words/nl.ts';
import { pl } from './document_words/pl.ts';
import { pt } from './document_words/pt.ts';
import { ptBr } from './document_words/pt_br.ts';
import { ro } from './document_words/ro.ts';
import { sk } from './document_words/sk.ts';
import { sl } from './document_words/sl.ts';
import { sv } from './document_words/sv.ts';
import { zh } from './document_words/zh.ts';
import { type Locale, type LocaleTag, locales } from './index.ts';
import { english, type TextKey } from './texts.ts';

export const documentLocales = {
  bg,
  cs,
  da,
  de,
  el,
  en: documentEnglish,
  'en-GB': documentEnglish,
  es,
  et,
  fi,
  fr,
  hr,
  hu,
  it,
  ja,
  lt,
  lv,
  nb,
  nl,
  pl,
  pt,
  'pt-BR': ptBr,
  ro,
  sk,
  sl,
  sv,
  zh,
  ar,
  he,
} as const satisfies Record<LocaleTag, DocumentTexts>;

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
