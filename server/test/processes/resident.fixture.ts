import { setTimeout as sleep } from 'node:timers/promises';
import { main } from '../../commands/cli.ts';

/** A command of `tollgate`, with its directory and environment. */
export type Order = { args: string[]; cwd: string; environment: Record<string, string> };
export type Done = { code: number; stdout: string; stderr: string };

/** A server that cannot start ends its process: here it ends the command only. */
class Exit extends Error {}
process.exit = () => {
  throw new Exit();
};

/** Runs in a separate process: executes one command after the other until its parent is gone. */
process.on('message', async ({ args, cwd, environment }: Order) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.exitCode = 0;
  const before = process.getActiveResourcesInfo().length;
  const [stdout, stderr] = [taken(process.stdout), taken(process.stderr)];
  await main(args).catch((error: unknown) => {
    if (!(error instanceof Exit)) throw error;
  });
  const done: Done = { code: Number(process.exitCode), stdout: stdout.give(), stderr: stderr.give() };
  process.exitCode = 0;
  await untilNothingIsOpen(before);
  process.send!(done);
});

/** Waits until nothing is left that would keep a process of the command's own alive. One that would not end is never answered. */
async function untilNothingIsOpen(before: number): Promise<void> {
  while (process.getActiveResourcesInfo().length > before) await sleep(1);
}

/** Captures output until it is restored. */
function taken(stream: NodeJS.WriteStream): { give: () => string } {
  const { write } = stream;
  let text = '';
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const last = rest.at(-1);
    if (typeof last === 'function') last();
    return true;
  }) as typeof stream.write;
  return {
    give() {
      stream.write = write;
      return text;
    },
  };
}
