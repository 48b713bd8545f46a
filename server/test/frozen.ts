import { Keyring } from '../base/keyring.ts';
import { Secret } from '../base/secret.ts';
import { abouts, catalog, errorTable, operations, requestable } from '../catalog.ts';
import { program } from '../commands/cli.ts';
import { exitCodes } from '../commands/usage.ts';
import { transfers } from '../ledger/chart.ts';
import { permits, type Right, rights as rightRows, roles } from '../operations/role.ts';
import { backgroundWork, commandsOf, defaultSettings, metricNames, settingNames } from './frozen_declarations.ts';
import { found, membersOf, valuesOf } from './frozen_text.ts';

/**
 * Every string that is stored, that keys are derived from, or that others match: programs, alerts, processors, servers of another
 * version. Declarations are asked where there are any; other strings are found by patterns in the sources, wherever these lie.
 *
 * Not here: tables, columns and the values that their constraints allow, which the migrations fix; what `docs/openapi.json` has, whose
 * changes `npm run generate` compares; and the JSON that commands print, which `commands/json.test.ts` has.
 */
export const frozenStrings: Readonly<Record<string, () => readonly string[]>> = {
  // ── Secrets ────────────────────────────────────────────────────────────────────────────────────────────────────────

  'purposes of keys, each with a digest under a fixed root key': () => {
    const keyring = new Keyring(new Secret(Buffer.alloc(32, 7)));
    const digestFor = (purpose: string) => keyring.hmac(purpose as Parameters<Keyring['hmac']>[0], 'text');
    return valuesOf('KeyPurpose').map((purpose) => `${purpose} ${digestFor(purpose).toString('hex').slice(0, 16)}`);
  },
  'labels of derivation, contexts of sealing, versions of both': () => [
    ...found(/\.(hmac|seal|unseal|shortDigest)\(\s*((?:'\w+'|this\.#purpose)(?:,\s*[`'][^`']*[`'])?)/g),
    ...found(/new (TokenPages)\('[^']*', ('[^)]*)\)/g),
    ...found(/hkdfSync\([^`;]*(`[^`]*`)/g),
    ...found(/\w*[cC]ontext(?:Of)?\([^)]*\)[^{;]*\{\s*return (\['[^']*'|`[^`]*`)/g),
    ...found(/JSON\.stringify\((\[`[^`]*`)/g),
    ...found(/const \w+Of = \(\w+: UserId\) => (`[^`]*`)/g),
    ...found(/^const ((?:format|version) = \d+);/gm),
  ],
  'forms of keys and tokens': () =>
    found(/(?:\/\^?|`)((?:\[sr\]k_|whsec_|\$\{[^`]*_tg_|\(\[1-9\])[^\n]*?)(?:\/[gi]*;|`|\/\.exec)/g),

  // ── HTTP ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  'operations: scope, right, callers from outside': () =>
    catalog.operations.map(
      ({ name, scope, right, lesser, callers }) =>
        `${name} ${scope} ${[right, ...(lesser === undefined ? [] : [lesser.right])].join('/')} ${outsiders(callers)}`,
    ),
  'operations that the OpenAPI document does not have: route, parameters, result': () => {
    const described = new Set(requestable(catalog));
    const others = catalog.operations.filter((one) => !described.has(one));
    return others.map(({ name, method, route, input, output }) => {
      const [parameters, result] = [input, output].map((schema) => `{ ${namesIn(schema).join(' ')} }`);
      return `${name} ${method} ${route} ${parameters} ${result}`;
    });
  },
  'event types': () => [...catalog.eventTypes, ...found(/'(webhook_delivery\.\w+)'/g)],
  'error codes: status, type': () =>
    Object.entries(errorTable).map(([code, { status, type }]) => `${code} ${status} ${type}`),
  scopes: () => catalog.scopes,
  'rights of roles': () => {
    const rights = (Object.keys(rightRows) as Right[]).sort();
    const granted = (role: (typeof roles)[number], mode: 'test' | 'live') =>
      `${role} ${mode}: ${rights.filter((right) => permits(role, mode, right)).join(' ')}`;
    return roles.flatMap((role) => [granted(role, 'test'), granted(role, 'live')]);
  },
  'prefixes of ids': () => [
    ...found(/\b(?:newIds?|laterId|numberedId|isId|firstIdAt)\(\s*'(\w+)'/g),
    ...found(/\bId<'(\w+)'>/g),
    ...found(/\bprefix: '([a-z]+)'/g),
  ],
  'headers and cookies': () => [
    ...found(/'(__Host-[\w-]+)'/g),
    ...found(/'((?:x-tollgate|x-service|webhook|idempoten\w+|request|ratelimit)(?:-[a-z]+)+)'/gi).map(lowerCase),
    ...found(/'(Tollgate\/[^']*)'/g),
  ],
  'paths outside of the API': () => [
    ...found(/\bpath: ['`](\/(?!v1)[^'`]*)['`]/g),
    ...found(/(?:Path = |new TokenPages\()'(\/[^']*)'/g),
    ...found(/request\.url !== '([^']*)'/g),
  ],
  'pages of the dashboard, which bookmarks and saved views name': () => [
    ...found(/\bpath: '([\w/-]+)'/g, /^dashboard\/src\/pages\/index\.ts$/),
    ...found(/^ {2}(\w+: '[\w/-]+'),$|= \{ (\w+: '[\w/-]+') \}/gm, /^dashboard\/src\/kit\/paths\.ts$/),
  ],
  'what browsers store and share': () => found(/['`](tollgate\.[^'`]*)['`]/g, /^dashboard\/src\//),

  // ── Rows ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  'audit actions, beside the names of operations': () => {
    const operationNames = new Set(catalog.operations.map(({ name }) => name));
    const actions = [
      ...found(/\baction(?:: | = )(?:'([a-z_]+(?:\.\w+)?)'|`([^` ]+\.[^`]+)`)/g),
      ...found(/\b(?:audited|changed|recorded|outcome)\((?:\w+, )?'([a-z_.]+)'/g),
      ...found(/'((?:account|key|notice|session|user)\.[a-z_]+)'/g),
    ];
    return actions.filter((action) => !operationNames.has(action));
  },
  'actors of the audit log that are no people': () => found(/\bactor(?:: |: [^'\n]*\?\? )'(\w+)'/g),
  'sets of values': () => [
    ...found(/export const \w+ =\s*\[((?:\s*'[\w-]+',?)+)\s*\] as const/g).map(sortedValues),
    ...Object.entries(storedUnions).map(
      ([where, type]) => `${where}: ${[...new Set(valuesOf(type))].sort().join(' ')}`,
    ),
    ...Object.entries(transfers).map(([kind, { debit, credit }]) => `posting ${kind}: ${debit} → ${credit}`),
    ...found(/\bconst \w+ = '([a-z]+(?:_[a-z]+)+)';/g),
  ],
  'members of stored JSON': () => [
    ...Object.entries(storedShapes).map(([where, type]) => `${where}: ${membersOf(type).join(' ')}`),
    ...found(/\bexchange: \{ (\w+):(?: string \} \| \{ (\w+):)?/g).map((member) => `attempts.exchange: ${member}`),
    ...found(/\.\.\.before\.exchange, (\w+):/g).map((member) => `attempts.exchange: ${member}`),
  ],
  sequences: () => found(/\bsequence(?:: | = )'(\w+)'/g),

  // ── Processors ─────────────────────────────────────────────────────────────────────────────────────────────────────

  'idempotency keys of single steps': () => found(/(`\$\{[^`}]+\}\/[a-z_]+`)/g, /^server\/connectors\//),
  'names that begin with tollgate_: metadata of objects at processors, metrics, roles of the database': () =>
    found(/\b(tollgate_\w+)/g),

  // ── Operators ──────────────────────────────────────────────────────────────────────────────────────────────────────

  commands: () => commandsOf(program({ operations, abouts })).map(({ usage }) => usage),
  'options of commands that are no operations': () => commandsOf(program()).flatMap(({ options }) => options),
  'exit codes': () => Object.entries(exitCodes).map(([name, code]) => `${code} ${name}`),
  settings: settingNames,
  'defaults of settings': defaultSettings,
  'files in the data directory': () => [
    ...found(/\bjoin\(\s*(?:\w+\.)?dataDir, '([^']+)'/g),
    ...found(/\bjoin\(dir, '([^']+)'\)/g),
    `dev.json: ${membersOf('DevFile').join(' ')}`,
  ],
  'metrics, with labels and values': () => [
    ...metricNames(),
    ...found(/^ {4}(\w+): pool\('/gm).map((pool) => `tollgate_database_connections pool=${pool}`),
    ...found(/\bform: ('\w+'(?: \| '\w+')+)/g).map(
      (forms) => `tollgate_commit_batches_total form=${sortedValues(forms)}`,
    ),
  ],
  'spans and their attributes': () => [
    ...found(/\bname: (`[^`]*`|'[^']*'), kind: '(?:internal|server|client)'/g),
    ...found(/'((?:tollgate|http|db|error|service)\.[a-z_.]+)':/g),
  ],
  'work beside the requests': backgroundWork,
  'fields of log lines': () => [
    ...found(/\blog(?:\.\w+|\[\w+(?:\(\w+\))?\])\(\s*\{([^{}]*)\}/g).flatMap(fieldsIn),
    ...found(/\{ (\w+): name, error: /g),
  ],
  'rules that ledger verify names': () => found(/\bname: '([a-z][^']*)',\s*sql\b/g),

  // ── Database and machine ───────────────────────────────────────────────────────────────────────────────────────────

  'application names of connections': () => [
    ...found(/\b(?:connect|openDirectory)\([^'()]*'([\w ]+)'/g),
    ...found(/application_name\b[^'`\n]*['`]([^'`\n]+)['`]/g),
    ...valuesOf('PoolUse'),
  ],
  'advisory locks': () => found(/\b\w*[lL]ock\w* = (0x[\da-f_]+)/g),
  'words for systemd': () => found(/'systemd-notify', \['([^']*)'\]/g),
};

/** Types whose values are stored, or label metrics. */
const storedUnions: Readonly<Record<string, string>> = {
  'attempts.state': 'AttemptState',
  'attempts.verb, of payments': 'PaymentVerb',
  'disputes.review': 'DisputeReview',
  'postings.debit, credit': 'LedgerAccount',
  'reconciliation_differences.what': 'DifferenceKind',
  'reconciliation_differences.what, of bookings': 'BookingFault',
  'tenants.mode': 'Mode',
  'fields that the vault seals': 'Field',
  'tollgate_connections_refused_total.limit': 'RefusedConnection',
  'tollgate_notices_received_total.receipt': 'Receipt',
};

/** Types of what is stored as JSON, or sealed. What else is stored so has members of the API, or columns of a table. */
const storedShapes: Readonly<Record<string, string>> = {
  'invoices.last_failure': 'LastFailure',
  'invoices.lines, waiting_lines.line': 'Line',
  'notices.reported': 'Notice',
  'notices.reported, of declines': 'Declined',
  'notices.reported, of outcomes': 'ProcessorOutcome',
  'notices.reported, of their traces': 'Traces',
  'notices.request': 'InboundRequest',
  'payment_methods.billing': 'Billing',
  'pending_changes.plan': 'PendingPlan',
  'periods of lines': 'Period',
  'routing.rules': 'RoutingRule',
  'routing.rules, of conditions': 'Condition',
  'subscriptions.credits': 'InvoiceCredit',
  'subscriptions.items': 'Item',
};

/** How the server calls its own operations is nobody's business. */
function outsiders(callers: readonly string[]): string {
  const outside = callers.filter((one) => ['key', 'person', 'visitor', 'operator'].includes(one));
  return outside.sort().join(' ') || 'nobody';
}

/** The members that a schema names, at any depth. */
function namesIn(schema: object): string[] {
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : [];
  const inner = Object.values(schema).filter((value) => typeof value === 'object' && value !== null);
  return [...new Set([...own, ...inner.flatMap((value) => namesIn(value as object))])].sort();
}

function sortedValues(list: string): string {
  return [...list.matchAll(/'([^']*)'/g)]
    .map(([, value]) => value)
    .sort()
    .join(' ');
}

function fieldsIn(members: string): string[] {
  return [...members.matchAll(/(?:^|,) (\w+)(?=[:,]| ?$)/g)].map(([, name]) => name!);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
