import { Unavailable } from '../base/errors.ts';
import { settlesWithin } from '../base/keyed_queue.ts';
import { type CallLimits, errorName } from './ask.ts';

/**
 * Asks a processor something that moves no money, so that asking again is harmless. Without an answer in time it throws `Unavailable`:
 * the caller has stored nothing, and may try again.
 */
export async function question<Answer>(
  { deadlineMs }: Pick<CallLimits, 'deadlineMs'>,
  asking: () => Promise<Answer>,
): Promise<Answer> {
  const answer = asking().catch((error: unknown) => {
    throw new Unavailable(`a processor did not answer: ${errorName(error)}`);
  });
  if (await settlesWithin(answer, deadlineMs)) return answer;
  throw new Unavailable(`a processor did not answer within ${deadlineMs} ms`);
}
