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
/** Wrappers that a closed terminal ends are gone within so many looks. */
const looksAfterHangUp = 6;

const packageManager = /^(npm|npx|pnpm|yarn)( |$)|\/(npm|npx|pnpm|yarn)(-cli)?(\.c?js)?( |$)/;
const oldNode = /^\S*node\S* .*tollgate(\.js)? (dev|serve|fake-stripe)\b/;
const shell = /^\S*sh (-\S+ )*-c /;
/** The shell does not wait for the command, or the command leaves it: the server is meant to outlive both. */
const background = /(?<![&>])&(?![&>\d])|\b(nohup|setsid|daemon)\b/;

/** The wrappers of a process, from the inside out. Called early: later, they may already be gone. */
export async function findWrappers(pid = process.pid, find: Find = findProcess): Promise<Wrappers> {
  const self = await find(pid).catch(() => undefined);
  const above = self && (await find(self.parent).catch(() => undefined));
  if (above === undefined) return [];
  const link = { child: pid, parent: above.pid };
  if (oldNode.test(above.command)) return [link, ...(await findWrappers(above.pid, find))];
  if (!shell.test(above.command)) return packageManager.test(above.command) ? [link] : [];
  const further = background.test(above.command) ? [] : await findWrappers(above.pid, find);
  return further.length === 0 ? [] : [link, ...further];
}

export type WrapperWatch = Timer & {
  /** A terminal may have been closed: wrappers that end with it are not missed. Those that do not are watched on. */
  hungUp(): void;
};

/** Calls `lost` once, when one of the wrappers has ended. */
export function watchWrappers(wrappers: Wrappers, lost: () => void, find: Find = findProcess): WrapperWatch {
  if (wrappers.length === 0) return { cancel: () => {}, hungUp: () => {} };
  let looks = 0;
  let excused = 0;
  let isOver = false;
  const timer = every(lookEveryMs, async () => {
    const isLost = await isOneLost(wrappers, find).catch(() => undefined);
    if (isOver || isLost === undefined) return; // a later check decides
    looks = isLost ? looks + 1 : 0;
    if (isLost && excused > 0) return cancel();
    excused = Math.max(0, excused - 1);
    if (looks < looksBeforeLost) return;
    cancel();
    lost();
  });
  const cancel = () => {
    isOver = true;
    timer.cancel();
  };
  const hungUp = () => {
    excused = looksAfterHangUp;
  };
  return { cancel, hungUp };
}

/** The process below a wrapper that has ended has another parent. */
async function isOneLost(wrappers: Wrappers, find: Find): Promise<boolean> {
  const parents = await Promise.all(wrappers.map(async ({ child }) => (await find(child))?.parent));
  return wrappers.some(({ parent }, at) => parents[at] !== parent);
}
