import { assert } from '../../base/errors.ts';
import { KeyedQueue } from '../../base/keyed_queue.ts';
import type { ConnectorTools } from '../registration.ts';
import { applyFault, takeFault } from './faults.ts';
import { asking, untilCommitted } from './store.ts';
import { consider, type Run } from './task.ts';

const patienceMs = 20_000;

/** As if behind a network: the simulator commits by itself, and faults apply to its calls. */
export function remoteRun({ durable, clock, publicUrl }: Pick<ConnectorTools, 'durable' | 'clock' | 'publicUrl'>): Run {
  const ask = asking(durable);
  const queue = new KeyedQueue();
  const effect: Run = async (task) => {
    const done = await untilCommitted(durable, task.request.tenant, () => consider(task, ask, publicUrl));
    assert(done, `${task.request.attempt} lost too many races`);
    return done.reply;
  };
  // A hundred refunds of one charge would lose a hundred races each: within this process they queue instead.
  const inTurn: Run = async (task) => {
    const leave = await queue.acquire(`${task.request.tenant}/${task.authorization}`, patienceMs);
    if (leave === undefined) throw new Error('the simulator is busy with this authorization');
    return effect(task).finally(leave);
  };
  return async (task) => {
    const fault = await takeFault(durable.directory, task.request.tenant, task.verb);
    return applyFault(fault, { clock, task }, () => inTurn(task));
  };
}
