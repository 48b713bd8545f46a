import { expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { Unavailable } from '../../../base/errors.ts';
import { Secret } from '../../../base/secret.ts';
import { cachedProcessorAccounts } from './processors.ts';

const row = (version: number) => ({ tenant: 1, id: 'pa_1', version, secret: `pa_1/${version}`, settings: {} });

/** An account that is as in `versions` each time it is read. The vault has the credentials of the version `sealed`. */
function opened({ versions, sealed }: { versions: (number | undefined)[]; sealed: number | undefined }) {
  const left = versions.values();
  const reads = {
    one: async () => {
      const version = left.next().value;
      return version === undefined ? undefined : { ...row(version), previous_secret: null, previous_until: null };
    },
    directory: { constant: async () => ({ mode: 'test' }) },
  };
  const vault = {
    openSecret: async (_reads: unknown, _tenant: unknown, id: string) =>
      id === `pa_1/${sealed}` ? new Secret(JSON.stringify({ api_key: id })) : undefined,
  };
  const accounts = cachedProcessorAccounts({ reads, vault, clock: virtualClock(0) } as never);
  return accounts.open(1 as never, 'pa_1' as never);
}

test('an account whose credentials are replaced while it is opened has the new ones', async () => {
  const { credentials } = await opened({ versions: [1, 2], sealed: 2 });
  expect(credentials.api_key!.open()).toBe('pa_1/2');
});

test.each([[[1, undefined]], [[undefined]]])(
  'an account that is deleted meanwhile is worth a retry: %j',
  async (versions) => {
    await expect(opened({ versions, sealed: undefined })).rejects.toThrow(Unavailable);
  },
);

test('credentials that are missing without a change are a defect', async () => {
  await expect(opened({ versions: [1, 1], sealed: undefined })).rejects.toThrow('the credentials of pa_1 are missing');
});
