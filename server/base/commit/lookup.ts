import type { Connection } from '../sql.ts';
import type { AnyUnit, AnyWrite } from './unit.ts';

/**
 * Whether each of these units is in the database, and on its synchronous standby if there is one. A unit commits as a whole, so one of
 * its rows proves it: an inserted row, whose id is random, or else a claim, compared with what this unit would have written.
 */
export async function findCommitted(client: Connection, units: readonly AnyUnit[]): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const unit of units) {
    const proofs = unit.writes.filter((write) => write.table.identity.length > 0);
    const witness = proofs.find((write) => write.kind === 'insert') ?? proofs.find((write) => write.kind === 'claim');
    found.push(witness !== undefined && (await isStored(client, witness)));
  }
  // A commit is visible once its server stops waiting for the standby, whatever the reason. This one waits until the standby has
  // everything before it. The message is part of the write-ahead log alone.
  if (found.includes(true)) await client.query(`select pg_logical_emit_message(true, 'tollgate', 'a lookup')`);
  return found;
}

async function isStored(client: Connection, witness: AnyWrite): Promise<boolean> {
  const { name, identity: columns } = witness.table;
  const result = await client.query(
    `select 1 from ${name} where ${columns.map((column, at) => `${column} = $${at + 1}`).join(' and ')}`,
    columns.map((column) => witness.row[column]),
  );
  return result.rows.length > 0;
}
