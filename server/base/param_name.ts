/** The path of a value in a body: property names and list positions. */
export type Path = readonly (string | number)[];

const spokenKeyMax = 40;
// Fewer digits than any card number, bank account or phone number has.
const spokenDigitsMax = 8;
const printable = new RegExp(`^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,${spokenKeyMax}}$`, 'u');

/** Whether a message may repeat a name: it is short, printable, and not a card number in the wrong place. */
export function isSpeakable(name: string): boolean {
  if (!printable.test(name)) return false;
  return (name.match(/\p{N}/gu)?.length ?? 0) <= spokenDigitsMax;
}

/** `card.number`, `items.0.price`: up to the first name that may not be repeated; undefined when that is the first one. */
export function paramOf(path: Path): string | undefined {
  const unspeakable = path.findIndex((step) => typeof step === 'string' && !isSpeakable(step));
  const spoken = unspeakable < 0 ? path : path.slice(0, unspeakable);
  return spoken.length === 0 ? undefined : spoken.join('.');
}

/** Replaces a name that may not be repeated, in sentences that need one. */
export const withheld = '(name withheld)';
