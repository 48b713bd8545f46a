import { systemClock } from '../base/clock.ts';
import { operatorPatience } from '../base/patient_client.ts';
import { Reads } from '../base/reads.ts';
import { openPool } from '../base/sql.ts';
import type { Connectors } from '../connectors/index.ts';
import { databaseInWords } from '../database.ts';
import { dayOf } from '../ledger/posting.ts';
import type { BookLine, DifferenceKind } from '../ledger/reconcile.ts';
import {
  type DayReconciled,
  type NamedDifference,
  type ProcessorStatement,
  reconcileDay,
} from '../resources/balance/reconcile.ts';
import { cachedProcessorAccounts } from '../resources/processor_accounts/processors.ts';
import { Vault } from '../vault/index.ts';
import { type CommandContext, connectorsOf, withConnection } from './context.ts';
import { print, sentenceCase, table } from './print.ts';
import { UsageError } from './usage.ts';

type ReconcileOptions = { connector: string; date: string; account?: string; json?: boolean };

/** Compares the ledger with a processor's own statement of a day. Read-only; a server may be running. */
export async function reconcile(options: ReconcileOptions): Promise<void> {
  checkDay(options.date, systemClock.now());
  const { database, found } = await withConnection(async (context) => ({
    database: databaseInWords(context.config),
    found: await compareBooks(context, options),
  }));
  print(options.json, { database, ...presented(options, found) }, () => inWords(database, options, found));
  if (found.differences.length > 0) process.exitCode = 1;
}

function checkDay(text: string, now: number): void {
  const start = Date.parse(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(start) || dayOf(start) !== text)
    throw new UsageError('--date takes a day such as 2027-01-31');
  if (start > now) throw new UsageError(`--date ${text} lies in the future`);
}

export async function compareBooks(
  { client, config, address, keyring, masters }: Omit<CommandContext, 'actor'>,
  { connector, date, account }: ReconcileOptions,
): Promise<DayReconciled> {
  await client.query('set default_transaction_read_only = on');
  const patience = operatorPatience; // it sorts days of postings
  const pool = openPool(address, { use: 'durable', connectionsMax: 1, patience, onError: () => {} });
  try {
    const reads = new Reads(pool);
    const vault = new Vault({ masters, keyring, pool, clock: systemClock });
    const accounts = cachedProcessorAccounts({ reads, vault, clock: systemClock });
    const statement = statementOf(connectorsOf(config, pool, systemClock, accounts), connector);
    return await reconcileDay(client, { connector, statement, date, account });
  } finally {
    await pool.end();
  }
}

function statementOf({ all }: Connectors, name: string): ProcessorStatement {
  const connector = all.find((one) => one.name === name);
  if (connector === undefined) throw new UsageError(`there is no connector ${name}`);
  if (connector.statement === undefined)
    throw new UsageError(`the connector ${name} has no statement: there is nothing to compare with`);
  return connector.statement.bind(connector);
}

export function presented({ connector, date }: ReconcileOptions, found: DayReconciled) {
  const { differences, matched, matchedOnAnotherDay, sums } = found;
  return {
    connector,
    date,
    ok: differences.length === 0,
    differences: differences.map(({ what, line, owner, payment, ledger, processor }) => ({
      what,
      account: owner?.account ?? null,
      mode: owner?.mode ?? null,
      tenant: line.tenant,
      kind: line.kind,
      payment,
      reference: line.reference,
      ledger: shown(ledger),
      processor: shown(processor),
    })),
    matched,
    matched_on_another_day: matchedOnAnotherDay,
    sums: sums.map(({ kind, currency, ledger, processor }) => ({
      kind,
      currency,
      // As texts: the sum of many amounts may be more than a double holds.
      ledger: { lines: ledger.lines, amount: String(ledger.amount) },
      processor: { lines: processor.lines, amount: String(processor.amount) },
    })),
  };
}

function shown(line: BookLine | undefined) {
  return line === undefined ? null : { ...line.money, at: line.at.toISOString() };
}

const words: Record<DifferenceKind, string> = {
  missing_in_ledger: 'missing in our ledger',
  missing_at_processor: 'missing at the processor',
  amount_differs: 'the amount differs',
  currency_differs: 'the currency differs',
  doubled_in_ledger: 'once more in our ledger',
  doubled_at_processor: 'once more at the processor',
};

function inWords(database: string, { connector, date }: ReconcileOptions, found: DayReconciled): string {
  const { differences, matched, matchedOnAnotherDay, sums } = found;
  const count = differences.length === 1 ? 'One difference:' : `${differences.length} differences:`;
  return [
    sentenceCase(database),
    `Our ledger and the statement of ${connector}, ${date} (UTC)`,
    '',
    ...(differences.length === 0 ? ['There is no difference.'] : [count, ...differences.map(sentenceOf)]),
    `${matched} agree, ${matchedOnAnotherDay} of them on different days.`,
    '',
    table(
      ['kind', 'currency', 'lines', 'our ledger', 'lines', connector],
      sums.map(({ kind, currency, ledger, processor }) =>
        [kind, currency, ledger.lines, ledger.amount, processor.lines, processor.amount].map(String),
      ),
    ),
  ].join('\n');
}

function sentenceOf({ what, line, owner, payment, ledger, processor }: NamedDifference): string {
  const whose =
    owner === undefined ? `tenant ${line.tenant}, which has no account` : `${owner.account}, ${owner.mode} mode`;
  const money = [
    ...(ledger === undefined ? [] : [`${ledger.money.amount} ${ledger.money.currency} in our ledger`]),
    ...(processor === undefined ? [] : [`${processor.money.amount} ${processor.money.currency} at the processor`]),
  ];
  const about = `${line.kind} ${line.reference}, ${payment ?? 'no payment that we know'}`;
  return `- ${words[what]}: ${about} (${whose}): ${money.join(', ')}`;
}
