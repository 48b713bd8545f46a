// Owns the data directory in its first argument until it gets SIGTERM. Tests run it as a separate process, to kill it or to
// meet a second owner. It prints the result as one line of JSON.
import { startEmbeddedPostgres } from './index.ts';

const [, , dataDir = ''] = process.argv;
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  process.once('SIGTERM', () => void postgres.stop());
  process.stdout.write(`${JSON.stringify({ pid: postgres.pid(), host: postgres.connection.host })}\n`);
} catch (error) {
  process.stdout.write(
    `${JSON.stringify({ error: error instanceof Error ? `${error.name}: ${error.message}` : error })}\n`,
  );
}
