import { readdir } from 'node:fs/promises';
import { findProcess, type ProcessRow } from '../processes.ts';
import { runProgram } from './programs.ts';

const listLimitMs = 5_000;
const listCharactersMax = 4_194_304;

/**
 * Whether this process is the main process of a PostgreSQL, on any directory: a lock file is removed only when its process is
 * certainly no postmaster. The other processes of PostgreSQL are called "postgres: …" and do not count.
 */
export async function isPostmaster(pid: number): Promise<boolean> {
  const found = await findProcess(pid);
  return found !== undefined && /(^|\/)postgres( |$)/.test(found.command);
}

/** Kills the processes of a cluster whose postmaster has died. They hold its shared memory, and nothing can start before they exit. */
export async function killLeftBehind(clusterName: string): Promise<number[]> {
  const ours = (await listProcesses()).filter((row) => row.command.startsWith(`postgres: ${clusterName}:`));
  const killed: number[] = [];
  for (const row of ours) {
    if (await isPostmaster(row.parent)) continue;
    try {
      process.kill(row.pid, 'SIGKILL');
      killed.push(row.pid);
    } catch {
      // It has exited by itself.
    }
  }
  return killed;
}

async function listProcesses(): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return listWithPs();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const rows: ProcessRow[] = [];
  for (const pid of pids) {
    const row = await findProcess(pid).catch(() => undefined);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

async function listWithPs(): Promise<ProcessRow[]> {
  const listed = await runProgram(['ps', '-axww', '-o', 'pid=,ppid=,command='], {
    limitMs: listLimitMs,
    keepCharacters: listCharactersMax,
  });
  return listed.output.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}
