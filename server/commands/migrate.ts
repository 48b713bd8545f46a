import { operatorPatience } from '../base/patient_client.ts';
import { connect } from '../base/sql.ts';
import { readConfig } from '../config.ts';
import { joinDatabase, runMigrations } from '../database.ts';
import { adoptRestored } from '../ledger/restored.ts';

export async function runMigrate(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { address, stop } = await joinDatabase(readConfig('command'));
  opened.defer(stop);
  const client = await connect(address, 'migrate', operatorPatience);
  opened.defer(() => client.end());
  const applied = await runMigrations(client, address, (line) => console.error(line));
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
  if (await adoptRestored(client))
    console.log('The database was restored on this server: its ledger goes on from here.');
}
