import { connect } from '../base/sql.ts';
import { readConfig } from '../config.ts';
import { joinDatabase, runMigrations } from '../database.ts';

export async function runMigrate(): Promise<void> {
  const database = await joinDatabase(readConfig('command'));
  try {
    const client = await connect(database.address, 'migrate');
    try {
      const applied = await runMigrations(client);
      console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`);
    } finally {
      await client.end();
    }
  } finally {
    await database.stop();
  }
}
