import { leafBytes } from './lines.ts';

/** A stored posting, with its leaf. */
export type FoundPosting = { id: string; leaf: string };

/** The leaves of a block in hex, so that they can be compared with `===`. */
export function splitLeaves(leaves: Buffer): string[] {
  return leaves.toString('hex').match(leafHex) ?? [];
}

const leafHex = new RegExp(`.{${2 * leafBytes}}`, 'g');

/** A row that is not as it was sealed: its id, unless the row is missing or has no id, and what is wrong with it. */
export type Problem = { id: string | null; message: string };

/**
 * The first place where the stored postings differ from the sealed ones, in words. Only the leaves of the sealed postings are known:
 * whether a posting was altered, removed or added shows in the leaves that follow.
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
  return { id, message: `the posting ${id}, ${between(found[at - 1], found[at + 1])}, was not sealed` };
}

/** Names a place by its neighbours. */
function between(before: FoundPosting | undefined, after: FoundPosting | undefined): string {
  if (before !== undefined && after !== undefined) return `between ${before.id} and ${after.id}`;
  if (before !== undefined) return `after ${before.id}, the last one`;
  return after === undefined ? 'with no other posting left' : `before ${after.id}, the first one`;
}
