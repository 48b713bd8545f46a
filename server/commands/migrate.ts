import { operatorPatience } from '../base/patient_client.ts';
import { connect } from '../base/sql.ts';
import { readConfig } from '../config.ts';
import { joinDatabase, runMigrations } from '../database.ts';
import { adoptRestored } from '../ledger/restored.ts';
import { print } from './print.ts';

export async function runMigrate(options: { json?: boolean }): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { address, stop } = await joinDatabase(readConfig('command'));
  opened.defer(stop);
  const client = await connect(address, 'migrate', operatorPatience);
  opened.defer(() => client.end());
  const applied = await runMigrations(client, address, (line) => console.error(line));
  const restored = await adoptRestored(client);
  print(options.json, { ok: true, applied, restored }, () => inWords(applied, restored));
}

function inWords(applied: readonly string[], restored: boolean): string {
  return [
    applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`,
    ...(restored ? ['The database was restored on this server: its ledger goes on from here.'] : []),
  ].join('\n');
}
