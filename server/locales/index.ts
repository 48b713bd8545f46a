import { inEveryLocale, type LocaleTag } from './every_locale.ts';
import { english, type LocaleTexts } from './texts.ts';
import * as translations from './words/index.ts';

export { type LocaleTag, localeTags } from './every_locale.ts';

/** The texts of the pages for customers. */
export const locales = inEveryLocale<LocaleTexts>(english, translations, translations.enGb);

const rightToLeft: readonly LocaleTag[] = ['ar', 'he'];

export type Locale = {
  /** Which texts are shown. */
  tag: LocaleTag;
  /** How amounts and dates are written: the customer's own region, where the browser names one. */
  region: string;
  dir: 'ltr' | 'rtl';
};

/** CLDR writes `pt` as in Brazil. */
const regions: Partial<Record<LocaleTag, string>> = { pt: 'pt-PT', en: 'en-US' };

export function localeOf(tag: LocaleTag, region: string = regions[tag] ?? tag): Locale {
  return { tag, region, dir: rightToLeft.includes(tag) ? 'rtl' : 'ltr' };
}
