import { readdir, readFile } from 'node:fs/promises';
import { runProgram } from './programs.ts';

const listLimitMs = 5_000;
const listCharactersMax = 4_194_304;

type ProcessRow = { pid: number; parent: number; command: string };

/**
 * The command line of a living process. Undefined when the process does not exist or is a zombie: signal 0 cannot tell a zombie from
 * a running process, but a zombie has no command line.
 */
async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') {
    const listed = await runProgram(['ps', '-ww', '-o', 'command=', '-p', String(pid)], { limitMs: listLimitMs });
    return listed.ok && listed.output !== '' ? listed.output : undefined;
  }
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text === '' ? undefined : text.split('\0').join(' ').trim();
}

/**
 * Whether this process is the main process of a PostgreSQL, on any directory: a lock file is removed only when its process is
 * certainly no postmaster. The other processes of PostgreSQL are called "postgres: …" and do not count.
 */
export async function isPostmaster(pid: number): Promise<boolean> {
  const command = await commandLine(pid);
  return command !== undefined && /(^|\/)postgres( |$)/.test(command);
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
    const command = await commandLine(pid);
    if (command === undefined) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name is in parentheses and may hold any character; state and parent follow the last parenthesis.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    rows.push({ pid, parent, command });
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
