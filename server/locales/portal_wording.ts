import { escapeHtml } from '../base/page.ts';
import { documentText } from './document_wording.ts';
import { type Locale, type LocaleTag, locales } from './index.ts';
import { type PortalTextKey, type PortalTexts, portalEnglish } from './portal_texts.ts';
import { ar } from './portal_words/ar.ts';
import { bg } from './portal_words/bg.ts';
import { cs } from './portal_words/cs.ts';
import { da } from './portal_words/da.ts';
import { de } from './portal_words/de.ts';
import { el } from './portal_words/el.ts';
import { es } from './portal_words/es.ts';
import { et } from './portal_words/et.ts';
import { fi } from './portal_words/fi.ts';
import { fr } from './portal_words/fr.ts';
import { he } from './portal_words/he.ts';
import { hr } from './portal_words/hr.ts';
import { hu } from './portal_words/hu.ts';
import { it } from './portal_words/it.ts';
import { ja } from './portal_words/ja.ts';
import { lt } from './portal_words/lt.ts';
import { lv } from './portal_words/lv.ts';
import { nb } from './portal_words/nb.ts';
import { nl } from './portal_words/nl.ts';
import { pl } from './portal_words/pl.ts';
import { pt } from './portal_words/pt.ts';
import { ptBr } from './portal_words/pt_br.ts';
import { ro } from './portal_words/ro.ts';
import { sk } from './portal_words/sk.ts';
import { sl } from './portal_words/sl.ts';
import { sv } from './portal_words/sv.ts';
import { zh } from './portal_words/zh.ts';
import { fill, type TextValues, Wording } from './words.ts';

export const portalLocales = {
  bg,
  cs,
  da,
  de,
  el,
  en: portalEnglish,
  'en-GB': portalEnglish,
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
} as const satisfies Record<LocaleTag, PortalTexts>;

/** The texts of the portal, beside those of all pages for customers. */
export class PortalWording extends Wording {
  readonly #own: PortalTexts;

  constructor(locale: Locale, own: PortalTexts = portalLocales[locale.tag]) {
    super(locale, locales[locale.tag]);
    this.#own = own;
  }

  /** For titles and attributes: not escaped. */
  title(key: PortalTextKey): string {
    return this.#own[key] ?? portalEnglish[key];
  }

  /** For the content of a page: escaped, with its values isolated; marked as English where it is missing in this locale. */
  text(key: PortalTextKey, values: TextValues = {}): string {
    const own = this.#own[key];
    const filled = fill(
      escapeHtml(own ?? portalEnglish[key]),
      (name) => `<bdi>${escapeHtml(values[name] ?? '')}</bdi>`,
    );
    return own === undefined ? `<span lang="en" dir="ltr">${filled}</span>` : filled;
  }

  /** A text that invoices and receipts have too. */
  document(key: Parameters<typeof documentText>[1]): string {
    return escapeHtml(documentText(this.locale, key));
  }
}
