import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { KeyedQueue } from '../../base/keyed_queue.ts';
import type { Pool } from '../../base/sql.ts';
import type { InquiryOutcome, Reply } from '../contract.ts';
import { applyFault, takeFault } from './faults.ts';
import { asking, commitRows, triesMax } from './store.ts';
import { consider, type Run, type Task } from './task.ts';

const patienceMs = 20_000;

/** As if behind a network: the simulator commits by itself, and faults apply to its calls. */
export function remoteRun({ pool, clock, publicUrl }: { pool: Pool; clock: Clock; publicUrl: () => string }): Run {
  const ask = asking(pool);
  const queue = new KeyedQueue();
  const effect = async <Told extends InquiryOutcome>(task: Task<Told>): Promise<Reply<Told>> => {
    for (let tries = 0; tries < triesMax; tries++) {
      const { reply, rows } = await consider(task, ask, publicUrl);
      if (rows.entries.length + rows.challenges.length === 0) return reply; // there is no news without an entry
      if (await commitRows(pool, rows)) return reply;
    }
    assert(false, `${task.request.attempt} lost ${triesMax} races`);
  };
  // A hundred refunds of one charge would lose a hundred races each: within this process they stand in line instead.
  const inTurn = async <Told extends InquiryOutcome>(task: Task<Told>): Promise<Reply<Told>> => {
    const leave = await queue.acquire(`${task.request.tenant}/${task.authorization}`, patienceMs);
    if (leave === undefined) throw new Error('the simulator is busy with this authorization');
    return effect(task).finally(leave);
  };
  return async (task) => {
    const fault = await takeFault(pool, task.request.tenant, task.verb);
    return applyFault(fault, clock, () => inTurn(task));
  };
}
