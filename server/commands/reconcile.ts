import { systemClock } from '../base/clock.ts';
import { operatorPatience } from '../base/patient_client.ts';
import type { ConnectionsAt } from '../base/places/connections.ts';
import type { Tenant } from '../base/reads.ts';
import type { Connection } from '../base/sql.ts';
import type { Connector, ProcessorAccountId } from '../connectors/contract.ts';
import type { Connectors, NoticeSource } from '../connectors/index.ts';
import { databaseInWords } from '../database.ts';
import { isDay } from '../ledger/posting.ts';
import type { BookLine } from '../ledger/reconcile.ts';
import { timestampOf } from '../operations/schemas.ts';
import { type AccountInMode, accountOf, findTenants } from '../operations/tenants.ts';
import {
  cachedProcessorAccounts,
  type ProcessorAccounts,
} from '../resources/payments/processor_accounts/processors.ts';
import { findOwnerOf } from '../resources/payments/processor_accounts/store.ts';
import type { AdoptedLine, Adoption, LeftLine } from '../resources/payments/reconciliations/adopt.ts';
import {
  type DayReconciled,
  type NamedDifference,
  type ProcessorStatement,
  reconcileDay,
} from '../resources/payments/reconciliations/reconcile.ts';
import { differenceWords } from '../resources/payments/reconciliations/reconciliation.ts';
import { type ComparedSource, findUnaccepted, recordComparison } from '../resources/payments/reconciliations/record.ts';
import { recordAudit } from '../resources/people/audit_log/audit.ts';
import { Vault } from '../vault/index.ts';
import { type CommandContext, connectorsOf, withConnection } from './context.ts';
import type { Operator } from './operator.ts';
import { openCommandPools } from './pools.ts';
import { print, sentenceCase, table } from './print.ts';
import { Progress } from './progress.ts';
import { MissingError, UsageError } from './usage.ts';

type ReconcileOptions = {
  connector?: string;
  processorAccount?: string;
  date: string;
  account?: string;
  record?: boolean;
  accept?: string;
  note?: string;
  adopt?: boolean;
  json?: boolean;
};

/** Compares the ledger with a processor's own statement of a day. Read-only without `--record`, `--accept` and `--adopt`; a server may be running. */
export async function reconcile(options: ReconcileOptions): Promise<void> {
  checkDay(options.date, systemClock.now());
  if ((options.connector === undefined) === (options.processorAccount === undefined))
    throw new UsageError('name the processor: either --connector <name> or --processor-account <pa_…>');
  if (options.processorAccount !== undefined && options.account !== undefined)
    throw new UsageError('a processor account belongs to one account: leave --account out');
  if (options.accept !== undefined) return accept(options, options.accept);
  if (options.note !== undefined) throw new UsageError('--note says why a difference is accepted: it needs --accept');
  if (options.adopt && options.processorAccount === undefined)
    throw new UsageError(
      '--adopt needs --processor-account: a processor without accounts keeps its books in this database',
    );
  const { database, adoption, found } = await withConnection(
    async (context) => ({
      database: databaseInWords(context.config),
      adoption: options.adopt ? await adoptBooks(context, options) : undefined,
      found: await (options.record ? recordBooks : compareBooks)(context, options),
    }),
    { isReadOnly: !options.record && !options.adopt },
  );
  print(options.json, { ...presented(database, options, found), ...(adoption && adoptionShown(adoption)) }, () =>
    inWords(database, options, found, adoption),
  );
  if (found.differences.length > 0) process.exitCode = 1;
}

async function accept(options: ReconcileOptions, reference: string): Promise<void> {
  const { connector, processorAccount, date, account, record, adopt, note, json } = options;
  if (record) throw new UsageError('--record compares, and --accept does not: name one of them');
  if (adopt) throw new UsageError('--adopt compares, and --accept does not: name one of them');
  const source = processorAccount === undefined ? { connector: connector! } : { processor_account: processorAccount };
  const { withOperator } = await import('./operator.ts'); // with all that operations need, which a comparison does not
  const { database, accepted } = await withOperator(async (operator, { at, config }) => ({
    database: databaseInWords(config),
    accepted: await acceptRecorded({ at, operator }, { source, date, account, reference, note }),
  }));
  print(
    json,
    { ok: true, database, ...source, date, reference, accepted },
    () => `Accepted ${accepted === 1 ? 'the difference' : `${accepted} differences`} ${reference} of ${date}.`,
  );
}

type AcceptOptions = {
  source: ComparedSource;
  date: string;
  account?: string | undefined;
  reference: string;
  note?: string | undefined;
};

const noteOfCommand = 'Accepted on the command line.';

/** Accepts the differences of a day that have a reference, as the API does. The books stay as they are. */
export async function acceptRecorded(
  { at, operator }: { at: ConnectionsAt; operator: Pick<Operator, 'run'> },
  { source, date, account, reference, note = noteOfCommand }: AcceptOptions,
): Promise<number> {
  const owner = 'processor_account' in source ? (await accountAt(at, source.processor_account)).account : account;
  const tenants = (await findTenants(at.directory, owner)).map(({ tenant }) => tenant);
  const found = await findUnaccepted(at, { source, date, tenants, reference });
  if (found.length === 0) throw new MissingError(`no recorded difference ${reference} of ${date} is left to accept`);
  for (const { tenant, id } of found) {
    const { account: whose, mode } = await accountOf(at.directory, tenant);
    const call = { account: whose, mode, id, parameters: { note } };
    await operator.run('reconciliation_differences.accept', call);
  }
  return found.length;
}

/** The account whose account at a processor it is. */
async function accountAt(at: ConnectionsAt, id: string): Promise<AccountInMode> {
  const tenant = await findOwnerOf(at, id);
  if (tenant === undefined) throw new MissingError(`there is no processor account ${id}`);
  return accountOf(at.directory, tenant);
}

function checkDay(text: string, now: number): void {
  if (!isDay(text)) throw new UsageError('--date takes a day such as 2027-01-31');
  if (Date.parse(text) > now) throw new UsageError(`--date ${text} lies in the future`);
}

/** Compares, and records the payments and refunds that the processor has and the ledger lacks. */
export async function adoptBooks(context: CommandContext, options: ReconcileOptions): Promise<Adoption> {
  const { adoptLost } = await import('./adopt_lost.ts'); // with all that operations need, which a comparison does not
  return adoptLost(context, options.date, await compareBooks(context, options));
}

/** Compares, and keeps what is found in place of what an earlier comparison of the day has found. */
export async function recordBooks(context: CommandContext, options: ReconcileOptions): Promise<Books> {
  const { client, at, actor } = context;
  const found = await compareBooks(context, options);
  const { differences, source, account, owner } = found;
  await client.query('set default_transaction_read_only = off');
  const tenants = owner === undefined ? (await findTenants(client, account)).map(({ tenant }) => tenant) : [owner];
  const details = { ...source, date: options.date, differences: differences.length };
  const entry = { actor: actor.name, action: 'reconciliation.recorded', account: account ?? null };
  const audit = (sql: Connection) =>
    recordAudit(sql, actor.now, { ...entry, tenant: owner ?? null, subject: null, details });
  // A comparison for many tenants is at the place of each, and its entry in the directory: it is written first, and alone.
  if (owner === undefined) await audit(client);
  await at.everywhere(({ sql, has, change }) => {
    const comparison = { source, date: options.date, tenants: tenants.filter(has) };
    return change(comparison.tenants, async () => {
      await recordComparison(sql, comparison, found, actor.now);
      if (owner !== undefined) await audit(sql);
    });
  }, tenants);
  return found;
}

/** What was found, and whose books were compared with which processor. */
type Books = DayReconciled & {
  source: NoticeSource;
  account: string | undefined;
  /** Whose account at the processor it is. */
  owner: Tenant | undefined;
};

export async function compareBooks(
  { client, at, isCluster, config, address, keyring, masters }: Omit<CommandContext, 'actor'>,
  options: ReconcileOptions,
): Promise<Books> {
  await client.query('set default_transaction_read_only = on');
  const patience = operatorPatience; // it sorts days of postings
  const pools = await openCommandPools({ address, isCluster }, { connectionsMax: 1, patience });
  try {
    const { reads, durable } = pools;
    const vault = new Vault({ masters, keyring, durable, clock: systemClock });
    const accounts = cachedProcessorAccounts({ reads, vault, clock: systemClock });
    const connectors = connectorsOf(config, pools, systemClock, accounts);
    const { connector, account, owner } = await chosen(at, accounts, connectors, options);
    const source = { connector: connector.name, processor_account: connector.account ?? null };
    const { date } = options;
    using progress = new Progress('lines read');
    const report = (lines: number) => progress.add(lines);
    const found = await reconcileDay(at, { source, statement: statementOf(connector), date, account, report });
    return { ...found, source, account, owner };
  } finally {
    await pools.close();
  }
}

/** The processor, and the account whose books are compared; all accounts when it is undefined. */
async function chosen(
  at: ConnectionsAt,
  accounts: ProcessorAccounts,
  connectors: Connectors,
  { connector: name, processorAccount, account }: ReconcileOptions,
): Promise<{ connector: Connector; account: string | undefined; owner?: Tenant | undefined }> {
  if (processorAccount === undefined) {
    const connector = connectors.all.find((one) => one.name === name);
    if (connector === undefined) throw new UsageError(`there is no connector ${name}`);
    return { connector, account };
  }
  const { tenant, account: owner } = await accountAt(at, processorAccount);
  const found = await accounts.find(tenant, processorAccount as ProcessorAccountId);
  if (!found) throw new MissingError(`there is no processor account ${processorAccount}`);
  const connector = await connectors.of({ tenant, connector: found.connector, processor_account: found.id });
  return { connector, account: owner, owner: tenant };
}

function statementOf(connector: Connector): ProcessorStatement {
  if (connector.statement === undefined)
    throw new UsageError(`the connector ${connector.name} has no statement: there is nothing to compare with`);
  return connector.statement.bind(connector);
}

const nameOf = ({ connector, processorAccount }: ReconcileOptions) => processorAccount ?? connector!;

export function presented(database: string, options: ReconcileOptions, found: DayReconciled) {
  const { differences, matched, matchedOnAnotherDay, sums, totals } = found;
  const { connector, processorAccount, date } = options;
  return {
    ok: differences.length === 0,
    database,
    ...(processorAccount === undefined ? { connector } : { processor_account: processorAccount }),
    date,
    differences: differences.map(({ what, line, owner, payment, ledger, processor, booked }) => ({
      what,
      account: owner?.account ?? null,
      mode: owner?.mode ?? null,
      tenant: line.tenant,
      kind: line.kind,
      payment,
      reference: line.reference,
      ledger: shown(ledger),
      processor: shown(processor),
      ...(booked === undefined ? {} : { booked }),
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
    processor_totals: totals.map(({ currency, fee, net, payouts }) => {
      return { currency, fee: String(fee), net: String(net), payouts: String(payouts) };
    }),
  };
}

function shown(line: BookLine | undefined) {
  return line === undefined ? null : { ...line.money, at: timestampOf(line.at) };
}

function inWords(
  database: string,
  options: ReconcileOptions,
  found: DayReconciled,
  adoption: Adoption | undefined,
): string {
  const { differences, matched, matchedOnAnotherDay, sums, totals } = found;
  const name = nameOf(options);
  const count = differences.length === 1 ? 'One difference:' : `${differences.length} differences:`;
  return [
    sentenceCase(database),
    `Our ledger and the statement of ${name}, ${options.date} (UTC)`,
    '',
    ...(adoption === undefined ? [] : adoptionInWords(adoption)),
    ...(differences.length === 0 ? ['There is no difference.'] : [count, ...differences.map(sentenceOf)]),
    `${matched} agree, ${matchedOnAnotherDay} of them on different days.`,
    '',
    table(
      ['kind', 'currency', 'lines', 'our ledger', 'lines', name],
      sums.map(({ kind, currency, ledger, processor }) =>
        [kind, currency, ledger.lines, ledger.amount, processor.lines, processor.amount].map(String),
      ),
    ),
    ...totals.map(
      ({ currency, fee, net, payouts }) =>
        `The processor kept ${fee} ${currency} in fees, which leaves ${net}; it paid out ${payouts}.`,
    ),
  ].join('\n');
}

function sentenceOf({ what, line, owner, payment, ledger, processor, booked }: NamedDifference): string {
  const whose =
    owner === undefined ? `tenant ${line.tenant}, which has no account` : `${owner.account}, ${owner.mode} mode`;
  const money = [
    ...(ledger === undefined ? [] : [`${ledger.money.amount} ${ledger.money.currency} in our ledger`]),
    ...(processor === undefined ? [] : [`${processor.money.amount} ${processor.money.currency} at the processor`]),
    ...(booked === undefined ? [] : [`gross ${booked.gross}, fee ${booked.fee}, net ${booked.net}`]),
  ];
  const about = `${line.kind} ${line.reference}, ${payment ?? 'no payment that we know'}`;
  return `- ${differenceWords[what]}: ${about} (${whose}): ${money.join(', ')}`;
}

function adoptionShown({ adopted, left }: Adoption) {
  const shown = ({ kind, reference, money, payment }: AdoptedLine | LeftLine) => ({
    kind,
    reference,
    ...money,
    payment,
  });
  return {
    adopted: adopted.map((line) => ({ ...shown(line), object: line.object })),
    not_adopted: left.map((line) => ({ ...shown(line), reason: line.obstacle })),
  };
}

function adoptionInWords({ adopted, left }: Adoption): string[] {
  const about = ({ kind, reference, money, payment }: AdoptedLine | LeftLine) =>
    `${kind} ${reference}, ${payment ?? 'no payment that we know'}, ${money.amount} ${money.currency}`;
  const count = adopted.length === 1 ? 'Adopted 1 line:' : `Adopted ${adopted.length} lines:`;
  return [
    ...(adopted.length === 0
      ? ['Nothing was adopted.']
      : [count, ...adopted.map((line) => `- ${about(line)}: recorded as ${line.object}`)]),
    ...(left.length === 0 ? [] : ['Not adopted:', ...left.map((line) => `- ${about(line)}: ${line.obstacle}`)]),
    '',
  ];
}
