import { findProcess, type ProcessRow } from '../base/processes.ts';
import { every, type Timer } from '../base/timers.ts';

/**
 * npx, npm and the shell that they run a command in do not forward SIGTERM: they end, and leave the server with its port behind. So does
 * the old Node that has handed over to this one, when it is killed. A server therefore ends when one of them has ended. A server that
 * was put into the background, or that a supervisor has started, has no such wrapper, and outlives its parent.
 */
export type Wrappers = readonly { child: number; parent: number }[];

type Find = (pid: number) => Promise<ProcessRow | undefined>;

const lookEveryMs = 500;
/** A closed terminal ends the wrappers too, and its signal may be handled a moment after the first look that finds them gone. */
const looksBeforeLost = 2;

const packageManager = /^(npm|npx|pnpm|yarn)( |$)|\/(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?( |$)/;
const oldNode = /^\S*node\S* .*tollgate(\.js)? (dev|serve|fake-stripe)\b/;
const shell = /^\S*sh (-\S+ )*-c /;
/** The shell does not wait for the command, or the command leaves it: the server is meant to outlive both. */
const background = /(?<![&>])&(?![&>\d])|\b(nohup|setsid|daemon)\b/;

/** The wrappers of a process, from the inside out. Called early: later, they may already be gone. */
export async function findWrappers(pid = process.pid, find: Find = findProcess): Promise<Wrappers> {
  const self = await find(pid);
  const above = self && (await find(self.parent));
  if (above === undefined) return [];
  const link = { child: pid, parent: above.pid };
  if (oldNode.test(above.command)) return [link, ...(await findWrappers(above.pid, find))];
  if (!shell.test(above.command)) return packageManager.test(above.command) ? [link] : [];
  const further = background.test(above.command) ? [] : await findWrappers(above.pid, find);
  return further.length === 0 ? [] : [link, ...further];
}

/** Calls `lost` once, when one of the wrappers has ended: the process below it then has another parent. */
export function watchWrappers(wrappers: Wrappers, lost: () => void, find: Find = findProcess): Timer {
  if (wrappers.length === 0) return { cancel: () => {} };
  let looks = 0;
  let isOver = false;
  const timer = every(lookEveryMs, async () => {
    const parents = await Promise.all(wrappers.map(async ({ child }) => (await find(child))?.parent));
    const isLost = wrappers.some(({ parent }, at) => parents[at] !== parent);
    looks = isLost ? looks + 1 : 0;
    if (looks < looksBeforeLost || isOver) return;
    cancel();
    lost();
  });
  const cancel = () => {
    isOver = true;
    timer.cancel();
  };
  return { cancel };
}
