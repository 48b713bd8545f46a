import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { pressPay, typedCard } from '../pay_page.ts';
import { isTorture } from '../torture.ts';
import { Child, testMs } from './child.ts';

vi.setConfig({ testTimeout: testMs });

/**
 * From a clone to a webhook that is received and verified, with the README alone, which needs a registry. In every run, `guides.test.ts`,
 * `shop_guide.test.ts` and `sdk/test/package.test.ts` try the parts of it.
 */
const root = join(import.meta.dirname, '..', '..', '..');
const clone = mkdtempSync(join(tmpdir(), 'tollgate-walk-'));
let gateway: ChildProcess | undefined;

afterAll(async () => {
  if (gateway?.exitCode === null) {
    const ended = new Promise((resolve) => gateway!.once('exit', resolve));
    gateway.kill('SIGTERM');
    await ended;
  }
  rmSync(clone, { recursive: true, force: true });
});

function block(readme: string, language: string, contains: string): string {
  const blocks = [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text!,
  );
  const found = blocks.filter((text) => text.includes(contains));
  expect(found, contains).toHaveLength(1);
  return found[0]!;
}

const hasRegistry = () => spawnSync('npm', ['ping', '--silent'], { timeout: 20_000 }).status === 0;

test.runIf(isTorture)('somebody who has only the README receives a verified webhook', async (context) => {
  context.skip(!hasRegistry(), 'npm ci needs a registry');
  // The work tree as it would be committed.
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  execFileSync('tar', ['--null', '--files-from=-', '--ignore-failed-read', '-cf', join(clone, 'files.tar')], {
    cwd: root,
    input: files,
  });
  execFileSync('tar', ['-xf', 'files.tar'], { cwd: clone });
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  const shell = (script: string) =>
    execFileSync('bash', ['--norc', '-c', `set -eu\n${script}`], { cwd: clone, encoding: 'utf8', stdio: 'pipe' });

  const [install, start] = block(readme, 'sh', 'npm start').trim().split(' && ');
  expect([install, start]).toEqual(['npm ci', 'npm start']);
  shell(install!);
  gateway = spawn('npm', ['start'], { cwd: clone, env: { ...process.env, PORT: '0' }, stdio: 'ignore' });
  await eventually(() => expect(existsSync(join(clone, '.tollgate', 'dev.json'))).toBe(true));

  const port = 20_000 + (process.pid % 10_000);
  shell(block(readme, 'sh', 'npm install'));
  writeFileSync(
    join(clone, 'shop', 'sell.mjs'),
    block(readme, 'js', 'webhooks.verify').replaceAll('3000', String(port)),
  );
  const selling = new Child(spawn('bash', ['--norc', '-c', block(readme, 'sh', 'shop/sell.mjs')], { cwd: clone }));
  const [, page] = await selling.prints(/^Pay at (\S+)\n/);
  const agent = new Agent({ connect: { ca: readFileSync(join(clone, '.tollgate', 'tls', 'ca.pem')) } });
  await pressPay(page!, typedCard('4242424242424242'), agent);
  await agent.close();
  expect(await selling.ends()).toEqual({ code: 0, signal: null });
  expect(selling.stdout).toContain('\ncheckout_session.completed 2000\n');
});
