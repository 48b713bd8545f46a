import { eventTypes } from '../generated/catalog.ts';

/** `payment.*` stands for all types that begin alike. */
export const familyOf = (type: string): string => `${type.split('.')[0]}.*`;

export type EventFamily = { family: string; types: readonly string[] };

/** The families whose name, or one of whose types, has what is searched for. A family that fits shows all of its types. */
export function findFamilies(search: string): EventFamily[] {
  const wanted = wordsIn(search.trim());
  const all = Map.groupBy<string, string>(eventTypes, familyOf);
  return [...all].flatMap(([family, types]) => {
    const isWhole = wordsIn(family.split('.')[0]!).includes(wanted);
    const found = isWhole ? types : types.filter((type) => wordsIn(type).includes(wanted));
    return found.length === 0 ? [] : [{ family, types: found }];
  });
}

/** As somebody types them: `invoice payment` finds `invoice.payment_failed`. */
const wordsIn = (name: string) => name.toLowerCase().replace(/[._]/g, ' ');

/** A family stands for its types: they are not named beside it. */
export function withChosen(chosen: readonly string[], name: string, isChosen: boolean): string[] {
  const others = chosen.filter((one) => one !== name && !(name.endsWith('.*') && familyOf(one) === name));
  return isChosen ? [...others, name].sort() : others;
}

/** `payment.*, refund.created and 3 more`. */
export function eventsInWords(enabled: readonly string[], shownMax = 2): string {
  if (enabled.includes('*')) return 'All events';
  const shown = enabled.slice(0, shownMax).join(', ');
  const more = enabled.length - shownMax;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
