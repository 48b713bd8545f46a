import { english, type LocaleTexts } from './texts.ts';
import { ar } from './words/ar.ts';
import { bg } from './words/bg.ts';
import { cs } from './words/cs.ts';
import { da } from './words/da.ts';
import { de } from './words/de.ts';
import { el } from './words/el.ts';
import { enGb } from './words/en_gb.ts';
import { es } from './words/es.ts';
import { et } from './words/et.ts';
import { fi } from './words/fi.ts';
import { fr } from './words/fr.ts';
import { he } from './words/he.ts';
import { hr } from './words/hr.ts';
import { hu } from './words/hu.ts';
import { it } from './words/it.ts';
import { ja } from './words/ja.ts';
import { lt } from './words/lt.ts';
import { lv } from './words/lv.ts';
import { nb } from './words/nb.ts';
import { nl } from './words/nl.ts';
import { pl } from './words/pl.ts';
import { pt } from './words/pt.ts';
import { ptBr } from './words/pt_br.ts';
import { ro } from './words/ro.ts';
import { sk } from './words/sk.ts';
import { sl } from './words/sl.ts';
import { sv } from './words/sv.ts';
import { zh } from './words/zh.ts';

/** The locales of the pages for customers, with their texts. */
export const locales = {
  bg,
  cs,
  da,
  de,
  el,
  en: english as LocaleTexts,
  'en-GB': enGb,
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
} as const satisfies Record<string, LocaleTexts>;

export type LocaleTag = keyof typeof locales;

export const localeTags = Object.keys(locales) as LocaleTag[];

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
