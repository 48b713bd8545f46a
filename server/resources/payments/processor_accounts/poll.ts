import { update } from '../../../base/commit/index.ts';
import { inTime, settlesWithin } from '../../../base/keyed_queue.ts';
import type { Notice } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import { modeOf } from '../../../operations/tenants.ts';
import { storedCredentials } from './credentials.ts';
import type { ProcessorAccount } from './processor_account.ts';
import { processorAccountsTable } from './store.ts';

type IdentityServices = Pick<Services, 'reads' | 'vault' | 'connectors' | 'log'>;

/**
 * The processor's own name for the account, for a row that does not have it yet. The credentials are those of this very row, not of a
 * cache, and the answer must be committed under its version: credentials that are replaced meanwhile may be of another account.
 */
async function learnIdentity(
  services: IdentityServices,
  row: ProcessorAccount,
): Promise<Partial<Pick<ProcessorAccount, 'identity'>>> {
  if (row.identity !== null) return {};
  const { connectors, log } = services;
  const { id, tenant, connector, settings } = row;
  try {
    const credentials = await storedCredentials(services, row);
    if (credentials === undefined) return {};
    const opened = connectors.open(connector, {
      id,
      tenant,
      mode: await modeOf(services.reads, tenant),
      credentials,
      settings,
    });
    const asking = opened.identify?.();
    if (asking === undefined || !(await settlesWithin(asking, connectors.limits.deadlineMs))) return {};
    const identity = await asking;
    return identity === undefined ? {} : { identity };
  } catch (error) {
    log.debug({ processor_account: id, error: String(error) }, 'a processor did not say whose account it is');
    return {};
  }
}

type PollServices = Pick<
  Services,
  'durable' | 'reads' | 'vault' | 'clock' | 'committer' | 'connectors' | 'onDue' | 'log'
>;

/** Stores notices, of which some may be stored already. Resolves once all of them are. */
export type StoreReported = (source: NoticeSource, notices: readonly Notice[]) => Promise<void>;

const pollEveryMs = 5 * 60_000;
const tryAgainMs = 60_000;
const patienceMs = 60_000;

/** Asks each processor account for notices that were sent and never arrived. A disabled one too: its notices go on. */
export function pollAccounts(services: PollServices, store: StoreReported): Job {
  return dueRows(services, 'processor accounts', processorAccountsTable, async (account) => {
    // Before anything else: from now on, credentials of another account at the processor are refused.
    const learnt = await learnIdentity(services, account);
    const polled = await pollAccount(services, store, account);
    const next = { ...account, ...learnt, ...polled, version: account.version + 1, lease_until: null };
    // After a conflict the account is polled once more: it is still due, and the cursor is where it was.
    const isHeld =
      (await services.committer.commit({ tenant: next.tenant, writes: [update(processorAccountsTable, next)] })) ===
      'committed';
    if (isHeld && next.due_at !== null) services.onDue(next.due_at.getTime());
  });
}

type Polled = Pick<ProcessorAccount, 'due_at'> & Partial<Pick<ProcessorAccount, 'poll_cursor'>>;

/** The cursor moves only when everything before it is stored. */
async function pollAccount(services: PollServices, store: StoreReported, account: ProcessorAccount): Promise<Polled> {
  const { clock, connectors, log } = services;
  const { tenant, connector, id } = account;
  try {
    const opened = await connectors.of({ tenant, connector, processor_account: id });
    if (opened.poll === undefined) return { due_at: null };
    const { notices, next, hasMore } = await inTime(
      opened.poll({ since: account.poll_cursor ?? undefined, now: clock.now() }),
      patienceMs,
      'it has not answered in time',
    );
    if (notices.some((notice) => notice.tenant !== tenant)) throw new Error('a notice is about another account');
    await store({ connector, processor_account: id }, notices);
    // Without a step forward, asking again immediately would never end.
    const isBehind = hasMore === true && next !== account.poll_cursor;
    return { poll_cursor: next, due_at: new Date(clock.now() + (isBehind ? 0 : pollEveryMs)) };
  } catch (error) {
    log.warn({ connector, processor_account: id, error: String(error) }, 'could not poll a processor for notices');
    return { due_at: new Date(clock.now() + tryAgainMs) };
  }
}
