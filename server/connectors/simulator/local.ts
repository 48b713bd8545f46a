import type { Reads } from '../../base/reads.ts';
import { addChallenge, addEntry, addNews } from './store.ts';
import { consider, type Run } from './task.ts';

/** In this process: the rows go along with the reply, and commit with what the gateway makes of it. */
export function localRun({ reads, publicUrl }: { reads: Reads; publicUrl: () => string }): Run {
  return async (task) => {
    const { reply, rows } = await consider(task, (text, values) => reads.rows(text, values), publicUrl);
    const { entries, challenges, news } = rows;
    return { ...reply, writes: [...entries.map(addEntry), ...challenges.map(addChallenge), ...news.map(addNews)] };
  };
}
