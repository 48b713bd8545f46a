/** Where a value lies in a body: property names and positions in lists. */
export type Path = readonly (string | number)[];

const spokenKeyMax = 40;
// Fewer digits than any card number, bank account or phone number has.
const spokenDigitsMax = 8;
const printable = new RegExp(`^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,${spokenKeyMax}}$`, 'u');

/** Whether a name may stand in a message: short, printable, and not a card number that landed in the wrong place. */
export function isSpeakable(name: string): boolean {
  if (!printable.test(name)) return false;
  return (name.match(/\p{N}/gu)?.length ?? 0) <= spokenDigitsMax;
}

/** `card.number`, `items.0.price`: as far as its names can be repeated, or undefined when not even the first can. */
export function paramOf(path: Path): string | undefined {
  const unspeakable = path.findIndex((step) => typeof step === 'string' && !isSpeakable(step));
  const spoken = unspeakable < 0 ? path : path.slice(0, unspeakable);
  return spoken.length === 0 ? undefined : spoken.join('.');
}

/** For a sentence that needs a name, whatever the caller sent. */
export const withheld = '(name withheld)';
