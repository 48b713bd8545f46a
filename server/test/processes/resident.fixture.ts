import { main } from '../../commands/cli.ts';

/** What `tollgate` is to do, as if it had been started there with this environment. */
export type Order = { args: string[]; cwd: string; environment: Record<string, string> };
export type Done = { code: number; stdout: string; stderr: string };

/** Runs in a process of its own: does the work of one command after the other, as orders come, until nobody is left to give any. */
process.on('message', async ({ args, cwd, environment }: Order) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.exitCode = 0;
  const [stdout, stderr] = [taken(process.stdout), taken(process.stderr)];
  await main(args);
  const done: Done = { code: Number(process.exitCode), stdout: stdout.give(), stderr: stderr.give() };
  process.exitCode = 0;
  process.send!(done);
});

/** Keeps what is written until it is given back. */
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
