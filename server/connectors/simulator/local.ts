import type { Reads } from '../../base/reads.ts';
import { addChallenge, addEntry } from './store.ts';
import { consider, type Run } from './task.ts';

/** In this process: the rows go along with the reply, and commit with what the gateway makes of it. */
export function localRun({ reads, publicUrl }: { reads: Reads; publicUrl: () => string }): Run {
  return async (task) => {
    const { reply, entries, challenges } = await consider(task, (text, values) => reads.rows(text, values), publicUrl);
    return { ...reply, writes: [...entries.map(addEntry), ...challenges.map(addChallenge)] };
  };
}
