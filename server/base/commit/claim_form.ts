import { type Connection, transaction } from '../sql.ts';
import { rowSource } from './row_source.ts';
import { claimText, groupByTable, groupWrites, type StatementBuilder } from './statement.ts';
import { type AnyUnit, type AnyWrite, guardedVersion, isGuard, rowName } from './unit.ts';

/**
 * The second form of a batch, used after a conflict in the plain form. It finds out which units can be written and writes those, in one
 * transaction: lock the guarded rows that are still at their version, claim the keys that are free, then write the rest.
 */
export function commitByClaims(
  client: Connection,
  units: readonly AnyUnit[],
  statements: StatementBuilder,
): Promise<boolean[]> {
  return transaction(client, async () => {
    const holding = statements.holding(units.flatMap((unit) => unit.writes));
    if (holding !== undefined) await client.query(holding.text, holding.values);
    const unguarded = await unitsWhoseGuardsHold(client, units);
    const winners = await unitsWhoseClaimsHold(client, unguarded);
    const writes = [...winners].flatMap((unit) => unit.writes).filter((write) => write.kind !== 'claim');
    if (writes.length > 0) await client.query(statements.build(writes));
    return units.map((unit) => winners.has(unit));
  });
}

async function unitsWhoseGuardsHold(client: Connection, units: readonly AnyUnit[]): Promise<Set<AnyUnit>> {
  const guards = units.flatMap((unit) => unit.writes).filter(isGuard);
  const locked = new Set<string>();
  for (const { table, rows } of groupByTable(guards)) {
    const { name, key, types } = table;
    const typed = [...key, 'version'].map((column, at) => `$${at + 1}::${types[column]}[]`);
    const matches = key.map((column) => `t.${column} = x.${column}`).join(' and ');
    const result = await client.query<Record<string, unknown>>(
      `select ${key.map((column) => `t.${column}`).join(', ')}
         from ${name} t join unnest(${typed.join(', ')}) as x (${key.join(', ')}, version) on ${matches}
        where t.version = x.version
        order by ${key.map((column) => `t.${column}`).join(', ')}
          for update of t`,
      [...key.map((column) => rows.map((write) => write.row[column])), rows.map(guardedVersion)],
    );
    for (const row of result.rows) locked.add(rowName({ kind: 'update', table, row }));
  }
  return new Set(units.filter((unit) => unit.writes.filter(isGuard).every((write) => locked.has(rowName(write)))));
}

/** A unit with several claims must win them all; otherwise its claims are deleted again. */
async function unitsWhoseClaimsHold(client: Connection, units: Set<AnyUnit>): Promise<Set<AnyUnit>> {
  const claimed = new Set<string>();
  for (const { table, rows } of groupWrites([...units].flatMap(claims))) {
    const source = rowSource(table.columns, table.types, 1);
    const returning = table.key.map((column) => `t.${column}`).join(', ');
    const result = await client.query<Record<string, unknown>>(
      `${claimText(table, source)} returning ${returning}`,
      source.values(rows),
    );
    for (const row of result.rows) claimed.add(rowName({ kind: 'claim', table, row }));
  }
  const isWinner = (unit: AnyUnit) => claims(unit).every((write) => claimed.has(rowName(write)));
  const halfWon = [...units].filter((unit) => !isWinner(unit)).flatMap(claims);
  for (const write of halfWon) if (claimed.has(rowName(write))) await giveBack(client, write);
  return new Set([...units].filter(isWinner));
}

function claims(unit: AnyUnit): AnyWrite[] {
  return unit.writes.filter((write) => write.kind === 'claim');
}

async function giveBack(client: Connection, write: AnyWrite): Promise<void> {
  const { name, key } = write.table;
  const matches = key.map((column, at) => `${column} = $${at + 1}`).join(' and ');
  await client.query(
    `delete from ${name} where ${matches}`,
    key.map((column) => write.row[column]),
  );
}
