import { leafBytes } from './lines.ts';

/** A posting that is there, with the leaf that it makes. */
export type FoundPosting = { id: string; leaf: string };

/** Leaves as texts, so that they can be looked up. */
export function splitLeaves(leaves: Buffer): string[] {
  const hex = leaves.toString('hex');
  return Array.from({ length: leaves.length / leafBytes }, (_, at) =>
    hex.slice(at * leafBytes * 2, (at + 1) * leafBytes * 2),
  );
}

/** A row that does not hold: its id, if it is there and has one, and what is wrong with it. */
export type Problem = { id: string | null; message: string };

/**
 * The first place where the postings that are there are not those that were sealed, in words. What was sealed is known by its leaf
 * alone: whether a posting was altered, taken away or put in shows in what follows.
 */
export function firstDifference(sealed: readonly string[], found: readonly FoundPosting[]): Problem | undefined {
  for (let at = 0; at < Math.max(sealed.length, found.length); at++) {
    const [leaf, here] = [sealed[at], found[at]];
    if (here !== undefined && here.leaf === leaf) continue;
    if (here === undefined) return missing(found, at);
    if (leaf === undefined) return added(found, at);
    if (sealed.includes(here.leaf, at)) return missing(found, at);
    if (found.some((later, place) => place > at && later.leaf === leaf)) return added(found, at);
    return { id: here.id, message: `the posting ${here.id} was altered after it was sealed` };
  }
  return undefined;
}

function missing(found: readonly FoundPosting[], at: number): Problem {
  return { id: null, message: `a posting is missing ${between(found[at - 1], found[at])}` };
}

function added(found: readonly FoundPosting[], at: number): Problem {
  const { id } = found[at]!;
  return { id, message: `the posting ${id}, ${between(found[at - 1], found[at + 1])}, is not one that was sealed` };
}

/** Where a place is, by its neighbours. */
function between(before: FoundPosting | undefined, after: FoundPosting | undefined): string {
  if (before !== undefined && after !== undefined) return `between ${before.id} and ${after.id}`;
  if (before !== undefined) return `after ${before.id}, the last one`;
  return after === undefined ? 'that was alone' : `before ${after.id}, the first one`;
}
