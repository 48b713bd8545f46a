import { spawnSync } from 'node:child_process';

/** Why what is written in Python cannot be run on this machine, which is also printed; undefined when it can. */
export function pythonIsMissing(what: string): string | undefined {
  const { error, status, stderr } = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']);
  if (status === 0) return undefined;
  const why = error?.message ?? stderr.toString().trim();
  console.warn(`${what} is not tested: there is no python3, 3.9 or newer (${why}).`);
  return why;
}
