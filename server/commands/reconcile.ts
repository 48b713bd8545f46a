import { systemClock } from '../base/clock.ts';
import { Reads } from '../base/reads.ts';
import { type Connection, openPool, type Pool } from '../base/sql.ts';
import type { Config } from '../config.ts';
import type { Connector } from '../connectors/contract.ts';
import { createConnectors, registrations } from '../connectors/index.ts';
import { dayOf } from '../ledger/posting.ts';
import { type Difference, type Line, type Reconciled, Reconciliation } from '../ledger/reconcile.ts';
import { print, table } from './print.ts';
import { findOwners, findPayments, ledgerLines, type Owner, type Span } from './reconcile_reads.ts';
import { type LongSession, withConnection } from './session.ts';
import { UsageError } from './usage.ts';

const dayMs = 86_400_000;
/** An outcome that nobody knew is settled by then, or a person has been told: what was taken on one day may be posted on a later one. */
const daysAround = 4;

type Options = { connector: string; date: string; account?: string; json?: boolean };
type Statement = NonNullable<Connector['statement']>;
type Named = Difference & { line: Line; owner: Owner | undefined; payment: string | null };
type Report = Omit<Reconciled, 'differences'> & { differences: Named[] };

type Books = Pick<LongSession, 'client' | 'config' | 'address'>;

/** Compares the ledger with a processor's own statement of a day, changes nothing, and can be run beside a server. */
export async function reconcile(options: Options): Promise<void> {
  const start = parseDay(options.date, systemClock.now());
  const report = await withConnection((session) => compareBooks(session, options, start));
  print(options.json, presented(options, report), () => inWords(options, report));
  if (report.differences.length > 0) process.exitCode = 1;
}

function parseDay(text: string, now: number): number {
  const start = Date.parse(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(start) || dayOf(start) !== text)
    throw new UsageError('--date takes a day such as 2027-01-31');
  if (start > now) throw new UsageError(`--date ${text} lies in the future`);
  return start;
}

export async function compareBooks(session: Books, options: Options, start: number): Promise<Report> {
  const { client, config, address } = session;
  await client.query('set default_transaction_read_only = on');
  const pool = openPool(address, { use: 'durable', connectionsMax: 1, onError: () => {} }); // no time-out: days are put in order
  try {
    const statement = statementOf(connectorNamed(config, pool, options.connector));
    const owners = await findOwners(client, options.account);
    const result = await readBooks(client, statement, owners, options, start);
    return { ...result, differences: await named(client, owners, options.connector, result.differences) };
  } finally {
    await pool.end();
  }
}

async function readBooks(
  client: Connection,
  statement: Statement,
  owners: readonly Owner[],
  { connector, date, account }: Options,
  start: number,
): Promise<Reconciled> {
  const known = new Set(owners.map(({ tenant }) => tenant));
  // Of tenants that do not exist the processor should know nothing: unless one account is asked for, they are seen.
  const isWanted = ({ tenant }: Line) => account === undefined || known.has(tenant);
  const comparison = new Reconciliation(date);
  for (const span of spansAround(start)) {
    for await (const page of ledgerLines(client, owners, connector, span)) comparison.add('ledger', page);
    for await (const page of statement({ from: new Date(span.from), to: new Date(span.to) }))
      comparison.add('processor', page.filter(isWanted));
  }
  return comparison.result();
}

/** Whose it is, and which payment it is about. */
async function named(
  client: Connection,
  owners: readonly Owner[],
  connector: string,
  differences: readonly Difference[],
): Promise<Named[]> {
  const byTenant = new Map(owners.map((owner) => [owner.tenant, owner]));
  const lines = differences.map(({ ledger, processor }) => (ledger ?? processor)!);
  const payments = await findPayments(client, connector, lines);
  return differences.map((difference, at) => {
    const line = lines[at]!;
    return { ...difference, line, owner: byTenant.get(line.tenant), payment: line.payment ?? payments[at]! };
  });
}

/** The day itself comes first: of the days around it only what belongs to it is kept. */
function spansAround(start: number): Span[] {
  const end = start + dayMs;
  return [
    { from: start, to: end },
    { from: start - daysAround * dayMs, to: start },
    { from: end, to: end + daysAround * dayMs },
  ];
}

/** Only its statement is asked for. */
function connectorNamed(config: Config, pool: Pool, name: string): Connector {
  const connectors = createConnectors({
    registrations,
    settings: config.connectorSettings,
    modes: config.connectors,
    tools: { pool, reads: new Reads(pool), clock: systemClock, publicUrl: () => config.publicUrl ?? '' },
    report: async () => {},
    limits: { clock: systemClock, deadlineMs: 0, onLate: () => {} },
  });
  try {
    return connectors.byName(name);
  } catch {
    throw new UsageError(`there is no connector ${name}`);
  }
}

function statementOf(connector: Connector): Statement {
  if (connector.statement === undefined)
    throw new UsageError(`the connector ${connector.name} has no statement: there is nothing to compare with`);
  return connector.statement.bind(connector);
}

export function presented({ connector, date }: Options, { differences, matched, matchedOnAnotherDay, sums }: Report) {
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
      ...{ kind, currency },
      // As texts: the sum of many amounts may be more than a double holds.
      ledger: { lines: ledger.lines, amount: String(ledger.amount) },
      processor: { lines: processor.lines, amount: String(processor.amount) },
    })),
  };
}

function shown(line: Line | undefined) {
  return line === undefined ? null : { ...line.money, at: line.at.toISOString() };
}

const words: Record<Difference['what'], string> = {
  missing_in_ledger: 'missing in our ledger',
  missing_at_processor: 'missing at the processor',
  amount_differs: 'the amount differs',
  currency_differs: 'the currency differs',
  doubled_in_ledger: 'once more in our ledger',
  doubled_at_processor: 'once more at the processor',
};

function inWords({ connector, date }: Options, report: Report): string {
  const { differences, matched, matchedOnAnotherDay, sums } = report;
  const count = differences.length === 1 ? 'One difference:' : `${differences.length} differences:`;
  return [
    `Our ledger and the statement of ${connector}, ${date} (UTC)`,
    '',
    ...(differences.length === 0 ? ['There is no difference.'] : [count, ...differences.map(sentenceOf)]),
    `${matched} agree, ${matchedOnAnotherDay} of them on different days.`,
    '',
    table(
      ['kind', 'currency', 'lines', 'our ledger', 'lines', connector],
      sums.map(({ kind, currency, ledger, processor }) => [
        ...[kind, currency, String(ledger.lines), String(ledger.amount)],
        ...[String(processor.lines), String(processor.amount)],
      ]),
    ),
  ].join('\n');
}

function sentenceOf({ what, line, owner, payment, ledger, processor }: Named): string {
  const whose =
    owner === undefined ? `tenant ${line.tenant}, which has no account` : `${owner.account}, ${owner.mode} mode`;
  const money = [
    ...(ledger === undefined ? [] : [`${ledger.money.amount} ${ledger.money.currency} in our ledger`]),
    ...(processor === undefined ? [] : [`${processor.money.amount} ${processor.money.currency} at the processor`]),
  ];
  const about = `${line.kind} ${line.reference}, ${payment ?? 'no payment that we know'}`;
  return `- ${words[what]}: ${about} (${whose}): ${money.join(', ')}`;
}
