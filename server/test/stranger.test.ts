import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alike, examplesOf, hasTools, setup } from './guide_examples.ts';
import { testMs } from './processes/child.ts';
import { Children, type DevServer } from './processes/children.ts';

/**
 * A stranger's first hours: `npm start` in an empty folder, and then nothing but what the guides say, typed into one shell. Nothing is
 * replaced: the process, the demo account with its rate limit, curl and jq are those that a reader has. `guides.test.ts` runs all guides,
 * faster.
 */

const children = new Children();
const separator = '--- example ---';
let directory: string;
let dev: DevServer;

beforeAll(async () => {
  directory = children.directory();
  dev = await children.dev({ cwd: directory });
}, testMs);

afterAll(() => children.cleanUp(), testMs);

/** Types what the guides say, from top to bottom; every answer must be the one that is shown. */
async function follow(...guides: string[]): Promise<void> {
  // The server runs already. That npm can install the client from it is tested by sdk/test/package.test.ts.
  const examples = guides.flatMap(examplesOf).filter(({ shell }) => !/\bnpm (ci|install)\b/.test(shell));
  const script = ['set -u', setup, ...examples.map(({ shell }) => `echo '${separator}'\n${shell}`)].join('\n');
  const env = children.environment();
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: directory, env });
  expect(stderr).toBe('');
  const outputs = stdout.split(`${separator}\n`).slice(1);
  expect(outputs).toHaveLength(examples.length);
  for (const [at, { shell, shown }] of examples.entries()) {
    const lines = outputs[at]!.split('\n').filter((line) => line !== '');
    if (shown === undefined) expect(outputs[at], shell).not.toContain('"error"');
    else expect(alike(lines.at(-1) ?? 'null'), shell).toEqual(alike(shown));
  }
}

describe.skipIf(!hasTools)('by the guides alone, a stranger', () => {
  test('takes a payment with 3-D Secure', async () => {
    await follow('docs/getting-started.md', 'docs/3-d-secure.md');
    const payments = (await dev.client(dev.file.test_secret_key).get('/v1/payments')).json.data;
    expect(payments).toMatchObject([
      { status: 'failed', amount_received: 0 },
      { status: 'succeeded', amount_received: 2000, metadata: { order: '7' } },
      { status: 'succeeded', amount_received: 2000, amount_refunded: 500 },
    ]);
  });

  test('starts a subscription with a trial, by a card whose bank wants the cardholder, and sees it renew', async () => {
    await follow('docs/start-a-trial.md');
    const client = dev.client(dev.file.test_secret_key);
    const renewal = { status: 'succeeded', amount_received: 1500, off_session: true };
    expect((await client.get('/v1/payments?limit=2')).json.data).toMatchObject([renewal, renewal]);
  });
});
