import { getOrMake } from '../base/get_or_make.ts';
import { type Locale, type LocaleTag, localeOf, localeTags } from './index.ts';

/** A browser sends a handful of languages. Further ones are not read. */
const languagesMax = 20;
const headerCharactersMax = 500;

/** Languages that go by another name, or are read by the same people. */
const sameAs: Readonly<Record<string, LocaleTag>> = { no: 'nb', nn: 'nb', iw: 'he' };
/** Where English is written as in Britain. */
const british = ['GB', 'IE', 'AU', 'NZ', 'ZA', 'IN', 'SG', 'HK', 'MT', 'CY'];

/** To read a header takes a hundred times as long as to find it here. Anybody can send any number of them. */
const choicesMax = 1_000;
const choices = new Map<string, Locale>();

/** The locale that a merchant has set, or the first one of the browser that there is; English when there is none. */
export function chooseLocale(wanted: string | undefined, acceptLanguage = ''): Locale {
  const header = acceptLanguage.slice(0, headerCharactersMax);
  const key = `${wanted ?? ''} ${header}`;
  if (choices.size >= choicesMax && !choices.has(key)) choices.clear();
  return getOrMake(choices, key, () => choose(wanted, header));
}

function choose(wanted: string | undefined, header: string): Locale {
  const accepted = languagesIn(header).flatMap((language) => localeFor(language) ?? []);
  const tag = localeTags.find((one) => one === wanted);
  if (tag === undefined) return accepted[0] ?? localeOf('en');
  // The merchant chooses the language; the region of a customer who reads it still decides how dates are written.
  return accepted.find((one) => one.tag === tag) ?? localeOf(tag);
}

/** The languages of an `Accept-Language` header, the preferred one first. */
function languagesIn(header: string): string[] {
  const parts = header.split(',').slice(0, languagesMax);
  const weighed = parts.flatMap((part) => {
    const [, language = '', quality = '1'] =
      /^\s*([a-z]{2,3}(?:-[a-z\d]{2,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(part) ?? [];
    return language === '' || Number(quality) === 0 ? [] : { language, quality: Number(quality) };
  });
  return weighed.toSorted((one, other) => other.quality - one.quality).map(({ language }) => language);
}

function localeFor(language: string): Locale | undefined {
  const { language: base, region } = new Intl.Locale(language);
  const tag = region === undefined ? undefined : localeTags.find((one) => one === `${base}-${region}`);
  const found = tag ?? (isBritish(base, region) ? 'en-GB' : (sameAs[base] ?? localeTags.find((one) => one === base)));
  if (found === undefined) return undefined;
  const [written = ''] = found.split('-');
  return region === undefined ? localeOf(found) : localeOf(found, `${written}-${region}`);
}

function isBritish(base: string, region: string | undefined): boolean {
  return base === 'en' && region !== undefined && british.includes(region);
}
