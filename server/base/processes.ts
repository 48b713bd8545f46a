import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from './errors.ts';

const listLimitMs = 5_000;

export type ProcessRow = { pid: number; parent: number; command: string };

/**
 * A living process. Undefined when it does not exist or is a zombie: signal 0 cannot tell a zombie from a running process, but a zombie
 * has no command line. Rejects when that cannot be determined, such as without a free file descriptor.
 */
export async function findProcess(
  pid: number,
  read = (file: string) => readFile(file, 'utf8'),
): Promise<ProcessRow | undefined> {
  if (process.platform !== 'linux') return findWithPs(pid);
  const [command, stat] = await Promise.all(
    ['cmdline', 'stat'].map((name) => read(`/proc/${pid}/${name}`).catch(unlessGone)),
  );
  if (!command || !stat) return undefined;
  // The name is in parentheses and may hold any character; state and parent follow the last parenthesis.
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return { pid, parent, command: command.split('\0').join(' ').trim() };
}

/** Some systems hide the processes of other users: those are never looked for here. */
const goneCodes = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

function unlessGone(error: unknown): string {
  if (goneCodes.has(errorCode(error) ?? '')) return '';
  throw error;
}

async function findWithPs(pid: number): Promise<ProcessRow | undefined> {
  const listed = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], {
    timeout: listLimitMs,
  }).catch((error) => {
    if (error.code === 1) return { stdout: '' }; // there is no such process
    throw error;
  });
  const [, parent, command] = /^\s*(\d+)\s+(\S.*)$/m.exec(listed.stdout) ?? [];
  return command === undefined ? undefined : { pid, parent: Number(parent), command };
}
