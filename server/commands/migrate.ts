import { operatorPatience } from '../base/patient_client.ts';
import { connect } from '../base/sql.ts';
import { readConfig } from '../config.ts';
import { adoptLedger, joinDatabase, runMigrations } from '../database.ts';

export async function runMigrate(): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { address, stop } = await joinDatabase(readConfig('command'));
  opened.defer(stop);
  const client = await connect(address, 'migrate', operatorPatience);
  opened.defer(() => client.end());
  const report = (line: string) => console.error(line);
  const applied = await runMigrations(client, address, report);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
  if (await adoptLedger(client, address, report))
    console.log('The database was restored on this server: its ledger goes on from here.');
}
