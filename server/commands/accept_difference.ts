import { transaction } from '../base/sql.ts';
import { databaseInWords } from '../database.ts';
import { accountOf, findTenants } from '../operations/tenants.ts';
import { type ComparedSource, removeDifferences } from '../resources/payments/balance/differences.ts';
import { findOwnerOf } from '../resources/payments/processor_accounts/store.ts';
import { recordAudit } from '../resources/people/audit_log/audit.ts';
import { type CommandContext, withConnection } from './context.ts';
import { print } from './print.ts';
import { MissingError } from './usage.ts';

export type AcceptOptions = { source: ComparedSource; date: string; account?: string | undefined; reference: string };

/** Takes a difference that somebody has explained off the list of what needs a person. The books stay as they are. */
export async function acceptDifference(options: AcceptOptions, json: boolean | undefined): Promise<void> {
  const { source, date, reference } = options;
  const { database, accepted } = await withConnection(async (context) => ({
    database: databaseInWords(context.config),
    accepted: await acceptRecorded(context, options),
  }));
  print(
    json,
    { ok: true, database, ...source, date, reference, accepted },
    () => `Accepted ${accepted === 1 ? 'the difference' : `${accepted} differences`} ${reference} of ${date}.`,
  );
}

export async function acceptRecorded(
  { client, actor }: Pick<CommandContext, 'client' | 'actor'>,
  { source, date, account, reference }: AcceptOptions,
): Promise<number> {
  return transaction(client, async () => {
    const owner = 'processor_account' in source ? await ownerOf(client, source.processor_account) : account;
    const tenants = (await findTenants(client, owner)).map(({ tenant }) => tenant);
    const accepted = await removeDifferences(client, { source, date, tenants, reference });
    if (accepted === 0) throw new MissingError(`no difference ${reference} of ${date} is recorded`);
    const entry = { actor: actor.name, action: 'reconciliation.accepted', account: owner ?? null };
    await recordAudit(client, {
      ...entry,
      subject: null,
      details: { ...source, date, reference, differences: accepted },
    });
    return accepted;
  });
}

async function ownerOf(client: CommandContext['client'], id: string): Promise<string> {
  const tenant = await findOwnerOf(client, id);
  if (tenant === undefined) throw new MissingError(`there is no processor account ${id}`);
  return (await accountOf(client, tenant)).account;
}
