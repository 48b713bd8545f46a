type Choice = { value: string; label: string };

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
/** Groups of countries, and codes for trying things out. */
const noCountries = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'];

const choicesByLocale = new Map<string, readonly Choice[]>();

/** All countries by their names in a language, and the code: `Germany (DE)`. Browsers know the names, and offer no list of the codes. */
export function countryChoices(locale: string): readonly Choice[] {
  let choices = choicesByLocale.get(locale);
  if (choices === undefined) {
    choices = choicesIn(locale);
    choicesByLocale.set(locale, choices);
  }
  return choices;
}

function choicesIn(locale: string): Choice[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return codes
    .filter((code) => !noCountries.includes(code) && isCurrent(code))
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ value: code, label: `${name} (${code})` }];
    })
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}

/** Codes that were replaced have the name of what has replaced them: UK is GB. */
const isCurrent = (code: string) => new Intl.Locale(`und-${code}`).region === code;
