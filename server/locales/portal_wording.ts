import { escapeHtml } from '../base/page.ts';
import { documentText } from './document_wording.ts';
import { inEveryLocale } from './every_locale.ts';
import { type Locale, locales } from './index.ts';
import type { MailTextKey } from './mail_texts.ts';
import { MailWords } from './mail_wording.ts';
import { type PortalTextKey, type PortalTexts, portalEnglish } from './portal_texts.ts';
import * as translations from './portal_words/index.ts';
import { fill, type TextValues, Wording } from './words.ts';

export const portalLocales = inEveryLocale<PortalTexts>(portalEnglish, translations);

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

  /** A text that mails have too. */
  mail(key: MailTextKey): string {
    return escapeHtml(new MailWords({ locale: this.locale, merchant: '' }).text(key));
  }
}
