import { insert } from '../../../base/commit/index.ts';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import type { AttemptId, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Services } from '../../../operations/services.ts';
import { processorAccountsTable } from '../../../resources/payments/processor_accounts/store.ts';

type Stores = Pick<Services, 'clock' | 'committer' | 'vault'>;

/** Opens an account at Harbor for a tenant. It is due, so that it is polled immediately. */
export async function openHarborAccount(
  { clock, committer, vault }: Stores,
  tenant: Tenant,
  credentials: Record<string, string>,
): Promise<ProcessorAccountId> {
  const now = clock.now();
  const id = newId('pa', now);
  const account = {
    ...{ tenant, id, version: 1, connector: 'harbor', name: 'Harbor', enabled: true, settings: {}, secret: `${id}/1` },
    ...{
      identity: null,
      credentials_since: null,
      last_verified_at: null,
      previous_secret: null,
      previous_until: null,
      poll_cursor: null,
      due_at: new Date(now),
      lease_until: null,
    },
  };
  const sealed = await vault.sealSecret(tenant, account.secret, new Secret(JSON.stringify(credentials)));
  await committer.commit({ tenant, writes: [sealed, insert(processorAccountsTable, account)] });
  return id;
}

/** The rows of a table. */
// biome-ignore lint/suspicious/noExplicitAny: rows of every table
type ReadRows = (text: string, values: unknown[]) => Promise<any[]>;

/** The attempt of a payment, which this account has made whatever the routing says. */
export async function attemptOf(rows: ReadRows, payment: string, account: string): Promise<AttemptId> {
  const text = 'update attempts set processor_account = $2 where payment = $1 returning id';
  return (await rows(text, [payment, account]))[0].id;
}
