/** The locales of the pages, documents and mails for customers, in the order of every list of them. */
export const localeTags = [
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-GB',
  'es',
  'et',
  'fi',
  'fr',
  'hr',
  'hu',
  'it',
  'ja',
  'lt',
  'lv',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'sk',
  'sl',
  'sv',
  'zh',
  'ar',
  'he',
] as const;

export type LocaleTag = (typeof localeTags)[number];

/** The texts of a folder, which has a file for each language but English. */
export type Translations<Texts> = Readonly<Record<Exclude<LocaleTag, 'en' | 'en-GB' | 'pt-BR'> | 'ptBr', Texts>>;

/** The texts of each locale. `british`: where they differ from the English ones. */
export function inEveryLocale<Texts>(
  english: Texts,
  translations: Translations<Texts>,
  british: Texts = english,
): Readonly<Record<LocaleTag, Texts>> {
  const named = { ...translations, 'pt-BR': translations.ptBr, en: english, 'en-GB': british };
  return Object.fromEntries(localeTags.map((tag) => [tag, named[tag]])) as Record<LocaleTag, Texts>;
}
