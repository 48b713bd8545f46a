import { connect } from '../base/sql.ts';
import { readConfig } from '../config.ts';
import { joinDatabase, runMigrations } from '../database.ts';
import { adoptRestored } from '../ledger/restored.ts';

export async function runMigrate(): Promise<void> {
  const database = await joinDatabase(readConfig('command'));
  try {
    const client = await connect(database.address, 'migrate');
    try {
      const applied = await runMigrations(client);
      console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
      if (await adoptRestored(client))
        console.log('The database was restored on this server: its ledger goes on from here.');
    } finally {
      await client.end();
    }
  } finally {
    await database.stop();
  }
}
