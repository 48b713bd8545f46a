import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type TestAccount, type TestServer, testMasterKey } from '../test/harness.ts';
import { main } from './cli.ts';
import { devFileOf, writeDevFile } from './dev_file.ts';

export type Said = { code: number; stdout: string; stderr: string };

/** Lets commands in this process find a server of the tests, as they find one of `tollgate dev`. */
export function connectCommands(server: TestServer, account: TestAccount): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
  writeFileSync(join(dataDir, 'ca.pem'), server.ca);
  writeDevFile(devFileOf(dataDir), {
    base_url: server.baseUrl,
    ca_file: join(dataDir, 'ca.pem'),
    account: account.id,
    test_secret_key: account.testKey,
    live_secret_key: account.liveKey,
    payment_link: 'plink_0',
    checkout_url: `${server.baseUrl}/l/0`,
    dashboard: { url: `${server.baseUrl}/dashboard`, email: 'owner@example.com', password: '' },
  });
  vi.unstubAllEnvs();
  vi.stubEnv('TOLLGATE_DATA_DIR', dataDir);
  vi.stubEnv('DATABASE_URL', server.databaseUrl);
  vi.stubEnv('TOLLGATE_VAULT_KEY', testMasterKey);
  vi.stubEnv('PORT', '0');
}

/** Runs a command in this process. */
export async function say(...args: string[]): Promise<Said> {
  const taken = { stdout: '', stderr: '' };
  const take = (stream: keyof typeof taken) => (line: unknown) => {
    taken[stream] += line;
  };
  const write = (stream: keyof typeof taken) =>
    ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      taken[stream] += chunk;
      for (const then of rest) if (typeof then === 'function') then();
      return true;
    }) as typeof process.stdout.write;
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => take('stdout')(`${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => take('stderr')(`${line}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation(write('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(write('stderr')),
  ];
  try {
    await main(args);
    return { code: Number(process.exitCode ?? 0), ...taken };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs a command as at a terminal, with its output in a file. */
export async function sayAtTerminal(...args: string[]): Promise<Said> {
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  try {
    return await say(...args);
  } finally {
    process.stderr.isTTY = isTTY;
  }
}

/** The words of a command line, without the quotes. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, plain]) => one ?? two ?? plain!);
}
