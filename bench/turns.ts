import { type Workload, warmUp } from './load.ts';
import { type Row, sample } from './samples.ts';

/** A row of the table, and how it is loaded. */
export type Measured = Row & { pid: number; workload: Workload };

export type Turns = { turns: number; seconds: number; warmUpRequests: number; connections: number };

/** Runs all in turns, and every other time backwards, so that a machine that slows down affects all of them. */
export async function inTurns(part: string, measured: readonly Measured[], shape: Turns): Promise<void> {
  const { turns, seconds, warmUpRequests, connections } = shape;
  for (const { name, workload } of measured)
    await warmUp(workload, `${part}-warm-${name}`, connections, warmUpRequests);
  for (let turn = 1; turn <= turns; turn++) {
    const order = turn % 2 === 1 ? measured : measured.toReversed();
    for (const { name, pid, workload, samples } of order)
      samples.push(await sample(pid, workload, `${part}-${turn}-${name}`, connections, seconds));
  }
}
