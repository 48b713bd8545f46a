import { settlesWithin } from '../../../base/keyed_queue.ts';
import type { Services } from '../../../operations/services.ts';
import { modeOf } from '../../../operations/tenants.ts';
import { storedCredentials } from './credentials.ts';
import type { ProcessorAccount } from './processor_account.ts';

type IdentityServices = Pick<Services, 'reads' | 'vault' | 'connectors' | 'log'>;

/**
 * The processor's own name for the account, for a row that does not have it yet. The credentials are those of this very row, not of a
 * cache, and the answer must be committed under its version: credentials that are replaced meanwhile may be of another account.
 */
export async function learnIdentity(
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
