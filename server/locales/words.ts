import { escapeHtml } from '../base/page.ts';
import { type Locale, locales } from './index.ts';
import { english, type LocaleTexts, type TextKey } from './texts.ts';

export type TextValues = Readonly<Record<string, string>>;

/** The texts of a locale, with their values filled in. */
export class Wording {
  readonly locale: Locale;
  readonly #texts: LocaleTexts;

  constructor(locale: Locale, texts: LocaleTexts = locales[locale.tag]) {
    this.locale = locale;
    this.#texts = texts;
  }

  /** For attributes and scripts: not escaped. */
  plain(key: TextKey, values: TextValues = {}): string {
    return fill(this.#texts[key] ?? english[key], (name) => values[name] ?? '');
  }

  /**
   * For the content of a page: escaped. A value is isolated, so that a name in Latin letters does not turn the order of a text from right
   * to left around; a text that is missing in this locale is marked as English.
   */
  html(key: TextKey, values: TextValues = {}): string {
    const own = this.#texts[key];
    const text = fill(escapeHtml(own ?? english[key]), (name) => `<bdi>${escapeHtml(values[name] ?? '')}</bdi>`);
    return own === undefined ? `<span lang="en" dir="ltr">${text}</span>` : text;
  }
}

export function fill(text: string, value: (name: string) => string): string {
  if (!text.includes('{')) return text;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
}
