import { operatorPatience } from '../base/patient_client.ts';
import { connect } from '../base/sql.ts';
import { readConfig } from '../config.ts';
import { adoptLedger, joinDatabase, runMigrations } from '../database.ts';
import { print } from './print.ts';

export async function migrate(options: { json?: boolean }): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { address, stop } = await joinDatabase(readConfig('command'));
  opened.defer(stop);
  const client = await connect(address, 'migrate', operatorPatience);
  opened.defer(() => client.end());
  const report = (line: string) => console.error(line);
  const applied = await runMigrations(client, address, report);
  const restored = await adoptLedger(client, address, report);
  print(options.json, { ok: true, applied, restored }, () => inWords(applied, restored));
}

function inWords(applied: readonly string[], restored: boolean): string {
  return [
    applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`,
    ...(restored ? ['The database was restored on this server: its ledger goes on from here.'] : []),
  ].join('\n');
}
