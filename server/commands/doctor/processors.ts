import type { ConnectionsAt } from '../../base/places/connections.ts';
import { findKeyring } from '../../base/root_key.ts';
import type { Config } from '../../config.ts';
import { masterKeys } from '../../database.ts';
import { findTenants } from '../../operations/tenants.ts';
import { webhookSecret } from '../../resources/payments/processor_accounts/credentials.ts';
import type { ProcessorAccount } from '../../resources/payments/processor_accounts/processor_account.ts';
import { findEnabledOf } from '../../resources/payments/processor_accounts/store.ts';
import { verifyCredentials } from '../../resources/payments/processor_accounts/verification.ts';
import type { Directory } from '../context.ts';
import { openServices } from '../operator.ts';
import { type Finding, fine, wrong } from './finding.ts';

type DoctorServices = Awaited<ReturnType<typeof openServices>>['services'];

/** The directory, and where tenants are. */
export type CheckedPlaces = Directory & { at: ConnectionsAt };

/** Asks every processor that takes live payments whether its credentials work: all at the same time, for 15 seconds at most. */
export async function checkProcessors(
  { client, address, isCluster, at }: CheckedPlaces,
  config: Config,
): Promise<Finding[]> {
  const owners = (await findTenants(client, undefined)).filter(({ mode }) => mode === 'live');
  const tenants = owners.map(({ tenant }) => tenant);
  const rows = await findEnabledOf(at, tenants);
  if (rows.length === 0)
    return [
      fine(
        'processors',
        'no processor account takes live payments; they are refused until there is one: tollgate processors add',
      ),
    ];
  const masters = await masterKeys(client, config);
  const keyring = await findKeyring(client, masters);
  if (keyring === undefined) return [];
  const { services, close } = await openServices({ address, isCluster, config, keyring, masters });
  try {
    return (await Promise.all(rows.map((row) => checkAccount(services, row)))).flat();
  } finally {
    await close();
  }
}

async function checkAccount(services: DoctorServices, row: ProcessorAccount): Promise<Finding[]> {
  const { connectors, processorAccounts } = services;
  const { tenant, id, connector, name } = row;
  const called = `the processor account ${id} (${connector}, ${name})`;
  try {
    const opened = await processorAccounts.open(tenant, id);
    const { ok, message } = await verifyCredentials(connectors.open(connector, opened), connectors.limits.deadlineMs);
    const isSigned = connectors.formOf(connector)!.credentials.some((field) => field.name === webhookSecret);
    return [
      ok
        ? fine('processors', `${called} works: ${message}`)
        : wrong('processors', `${called} does not work: ${message} Correct it: tollgate processors set ${id}`),
      ...(isSigned && opened.credentials[webhookSecret] === undefined ? [unsigned(called, id)] : []),
    ];
  } catch (error) {
    return [wrong('processors', `${called} cannot be opened: ${(error as Error).message}.`)];
  }
}

function unsigned(called: string, id: string): Finding {
  const remedy = `register its webhook address with the processor (tollgate processors list --json shows it), then: tollgate processors set ${id} --credential ${webhookSecret}=-`;
  return wrong('processors', `${called} has no ${webhookSecret}, so its notices are refused: ${remedy}`);
}
