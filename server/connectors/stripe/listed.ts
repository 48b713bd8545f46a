import { idTime } from '../../base/id.ts';
import type { AttemptId } from '../contract.ts';
import type { StripeConversation, StripeUndone } from './conversation.ts';
import { metadataOf, pageOf, textOf } from './shapes.ts';

/** How far the clocks of Stripe and of the gateway may be apart. */
const skewSeconds = 15 * 60;
const pageSize = 100;

/** The id of the intent of an attempt. */
export type ListedIntent = { kind: 'listed'; id: string } | { kind: 'absent' } | StripeUndone;

/**
 * Among all intents of the time at which it was made. Only an intent of that time can have been confirmed, because only the first request
 * could have learnt its id.
 */
export async function listedIntent(
  talk: StripeConversation,
  path: readonly string[],
  attempt: AttemptId,
): Promise<ListedIntent> {
  const made = Math.floor(idTime(attempt) / 1_000);
  const created = { gte: made - skewSeconds, lte: made + skewSeconds };
  let after: string | undefined;
  for (;;) {
    const answer = await talk.get(path, { created, limit: pageSize, starting_after: after });
    if (answer.kind !== 'done') return answer;
    const page = pageOf(answer.object);
    if (page === undefined) return { kind: 'lost', reason: 'an answer that is not understood' };
    const match = page.data.find((one) => metadataOf(one).tollgate_attempt === attempt);
    if (match !== undefined) return { kind: 'listed', id: textOf(match.id) ?? '' };
    after = textOf(page.data.at(-1)?.id);
    if (!page.hasMore || after === undefined) return { kind: 'absent' };
  }
}
