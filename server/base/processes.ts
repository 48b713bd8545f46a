import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const listLimitMs = 5_000;

export type ProcessRow = { pid: number; parent: number; command: string };

/**
 * A living process. Undefined when it does not exist or is a zombie: signal 0 cannot tell a zombie from a running process, but a zombie
 * has no command line.
 */
export async function findProcess(pid: number): Promise<ProcessRow | undefined> {
  if (process.platform !== 'linux') return findWithPs(pid);
  const [command, stat] = await Promise.all(
    ['cmdline', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  );
  if (!command || !stat) return undefined;
  // The name is in parentheses and may hold any character; state and parent follow the last parenthesis.
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return { pid, parent, command: command.split('\0').join(' ').trim() };
}

async function findWithPs(pid: number): Promise<ProcessRow | undefined> {
  const listed = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], {
    timeout: listLimitMs,
  }).catch(() => undefined);
  const [, parent, command] = /^\s*(\d+)\s+(\S.*)$/m.exec(listed?.stdout ?? '') ?? [];
  return command === undefined ? undefined : { pid, parent: Number(parent), command };
}
