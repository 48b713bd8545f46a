import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generate.ts';
import { statementsIn } from '../base/statements.ts';
import { catalog, errorTable, operations } from '../catalog.ts';
import * as citus from '../citus/homes.ts';
import { scopeOfAny } from '../operations/scope.ts';
import {
  importsOf,
  isTestCode,
  namedTables,
  placeOf,
  readRepository,
  type Source,
  statementsOf,
} from './repository.ts';

/** The rules of the repository, so that nobody has to remember them. They are checked on the text of the files; nothing is started. */

/** A violation, and its place: `file` or `file:line`. */
type Finding = { at: string; what: string };

/** A rule is a test. Its failure names the rule, the places, and the reason for the rule. */
function rule(name: string, why: string, check: () => Iterable<Finding>): void {
  test(name, () => {
    const list = [...check()].map(({ at, what }) => `  ${at}: ${what}`);
    if (list.length > 0) expect.fail(`The rule is: ${name}.\nWhy: ${why}\n${list.join('\n')}\n`);
  });
}

const files = readRepository();
const sources = files.filter(({ path }) => /\.(tsx?|js|mjs|sql|lua)$/.test(path));
const code = sources.filter(({ path }) => /\.(tsx?|js|mjs)$/.test(path));
const tests = code.filter(({ isTest }) => isTest);
const server = code.filter(({ path, isTest }) => path.startsWith('server/') && !isTest);
const migrations = sources.filter(({ path }) => path.startsWith('server/migrations/'));
const imports = server.flatMap(importsOf);
const dashboard = code.filter(({ path }) => path.startsWith('dashboard/src/'));
const dashboardImports = dashboard.flatMap(importsOf);

/** Every line of these files that matches one of the patterns. */
function* places(where: readonly Source[], patterns: RegExp[], prepare = (line: string) => line): Generator<Finding> {
  const any = new RegExp(patterns.map((pattern) => pattern.source).join('|'));
  for (const { path, lines } of where)
    for (const [at, line] of lines.entries()) {
      const match = any.exec(prepare(line));
      if (match !== null) yield { at: `${path}:${at + 1}`, what: match[0].trim() };
    }
}

/** A line without its comment, as far as one line can tell: comments may mention what code may not do. */
function withoutComment(line: string): string {
  return /^\s*(\/\/|\/?\*)/.test(line) ? '' : line.replace(/\s\/\/ .*$/, '');
}

// ── Imports ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const floors: Record<string, number> = {
  base: 1,
  ...{ ledger: 2, vault: 2, outbox: 2, connectors: 2, fakes: 2, locales: 2, documents: 2, mail: 2 },
  operations: 3,
  citus: 3,
  resources: 4,
  ...{ http: 5, worker: 5 },
  ...{
    commands: 6,
    bin: 6,
    'main.ts': 6,
    'catalog.ts': 6,
    'parts.ts': 6,
    places: 6,
    'config.ts': 6,
    config: 6,
    'database.ts': 6,
    'certificate.ts': 6,
    'metrics_port.ts': 6,
    cluster: 6,
    'version.ts': 6,
  },
};
const top = 6;

/** The part of a file: the folder, or the file itself, directly below `server/`. */
function partOf(path: string): string | undefined {
  return path.startsWith('server/') ? path.split('/')[1] : undefined;
}

rule(
  'every part of the server has its floor',
  'imports can only be checked when the floor of each folder is known: add a new folder to `floors`.',
  () =>
    server
      .filter(({ path }) => floors[partOf(path)!] === undefined)
      .map(({ path }) => ({ at: path, what: `${partOf(path)} has no floor` })),
);

rule(
  'imports go down only, and neighbours on a floor do not know each other',
  'a floor can then be read, tested and replaced without the floors above it, and no cycle can form. Only the top floor is one part.',
  function* () {
    for (const { from, at, target } of imports) {
      const [part, other] = [partOf(from.path)!, partOf(target)];
      if (other === undefined || other === part) continue;
      const [here, there] = [floors[part] ?? top, floors[other] ?? top];
      if (here < there) yield { at, what: `${part} (floor ${here}) imports ${target}, which is above it` };
      else if (here === there && here !== top) yield { at, what: `${part} imports ${target}, its neighbour` };
    }
  },
);

rule(
  'no file imports itself through others',
  'a cycle has no first file to read, and the state in which a module sees another depends on the load order.',
  function* () {
    const next = new Map([...server, ...dashboard].map(({ path }) => [path, new Set<string>()]));
    const paths = new Set(next.keys());
    for (const { from, target } of [...imports, ...dashboardImports])
      if (paths.has(target)) next.get(from.path)!.add(target);
    for (const start of paths) {
      const reached = new Set(next.get(start));
      for (const path of reached) for (const further of next.get(path)!) reached.add(further);
      if (reached.has(start)) yield { at: start, what: 'is part of an import cycle' };
    }
  },
);

/** The folders of the dashboard. The files beside them put everything together. */
const dashboardFloors: Record<string, number> = { generated: 0, kit: 1, session: 1, nouns: 2, pages: 3, shell: 4 };

rule(
  'in the dashboard, the kit knows no noun and no page, and what pages know of a noun knows no page',
  'a primitive then serves any page, and the list of pages can name the files of all of them without a cycle.',
  function* () {
    const floorOf = (path: string) => dashboardFloors[path.split('/')[2]!] ?? 5;
    for (const { from, at, target } of dashboardImports)
      if (target.startsWith('dashboard/src/') && floorOf(target) > floorOf(from.path))
        yield { at, what: `imports ${target}, which is above it` };
  },
);

rule(
  'production code imports no test code',
  'tests may import everything, including packages that are not installed in production. Of such a package, a fake may import types, which are not loaded.',
  () =>
    imports
      .filter(({ target }) => isTestCode(target) || ['vitest', 'fast-check', 'stripe'].includes(target))
      .filter(({ from, isType }) => !(isType && from.path.startsWith('server/fakes/')))
      .map(({ at, target }) => ({ at, what: `imports ${target}` })),
);

rule(
  'a fake processor is loaded by its own command alone',
  'a fake is for tests and for trying: `serve` and `dev` must not load one. `commands/development.ts` loads a command when it is run.',
  function* () {
    const isCommandOfFake = (path: string) => /^server\/commands\/fake_\w+\.ts$/.test(path);
    for (const { from, at, target, isLazy } of imports) {
      const isOutside = !from.path.startsWith('server/fakes/') && !isCommandOfFake(from.path);
      if (target.startsWith('server/fakes/') && isOutside) yield { at, what: `imports ${target}` };
      if (isCommandOfFake(target) && !(isLazy && from.path === 'server/commands/development.ts'))
        yield { at, what: `loads ${target} at its start` };
    }
  },
);

rule(
  'what fake processors share knows none of them, and they do not know each other',
  'the next fake then begins with what is shared, and not with a copy of another.',
  () =>
    imports
      .filter(({ from, target }) => from.path.startsWith('server/fakes/') && /^server\/fakes\/\w+\//.test(target))
      .filter(({ from, target }) => dirname(from.path) !== dirname(target))
      .map(({ at, target }) => ({ at, what: `imports ${target}` })),
);

/** The folder of a resource, below its wing. */
function resourceOf(path: string): string | undefined {
  return /^server\/resources\/\w+\/(\w+)\//.exec(path)?.[1];
}

/** Wing of `resources/` → the wings that it may import. Events and views know other nouns by extension points alone. */
const wings: Record<string, readonly string[]> = {
  people: [],
  payments: ['people'],
  billing: ['people', 'payments'],
  selling: ['people', 'payments', 'billing'],
  events: ['people'],
  views: [],
};

/** The wing of a resource: undefined for the files that list all resources. */
function wingOf(path: string): string | undefined {
  return /^server\/resources\/(\w+)\//.exec(path)?.[1];
}

rule(
  'a wing of resources imports only the wings that `wings` names',
  'who builds on whom can then be read from six names, and a wing can be read without those above it.',
  function* () {
    for (const { from, at, target } of imports) {
      const [wing, other] = [wingOf(from.path), wingOf(target)];
      if (wing === undefined || other === undefined || wing === other) continue;
      if (!wings[wing]?.includes(other)) yield { at, what: `${wing} imports ${target}` };
    }
  },
);

/** Resource → the other resources whose stores it may use, with the reason. */
const sharedStores: Record<string, Record<string, string>> = {
  sessions: { users: 'who signs in is a user, who is found by email before there is a caller' },
  me: {
    users: 'people change their own user',
    sessions: 'people end their own sessions, and a new password changes both in one transaction',
  },
  invitations: {
    users: 'accepting gives a role, and makes a user who has none',
    sessions: 'accepting signs in a new user, in the same transaction',
  },
  payments: { attempts: 'an attempt is stored in the transaction of the payment that it is made for' },
  refunds: {
    attempts: 'an attempt is stored in the transaction of the refund that it is made for',
    payments: 'a refund is part of its payment: it changes what the payment has given back, in the same transaction',
  },
  setups: { attempts: 'an attempt is stored in the transaction of the setup that it is made for' },
  subscriptions: {
    subscription_state: 'it is the same noun: what invoices change of a subscription lies below them',
  },
  payment_links: { payment_link_state: 'it is the same noun: what sessions change of a link lies below them' },
  disputes: {
    attempts: 'an attempt is stored in the transaction of the dispute that it is made for',
    payments: 'a dispute is part of its payment: the payment names it, in the same transaction',
  },
};

rule(
  "a resource never imports another resource's store",
  'the tables of a resource then have one owner. Others use its noun and its operations, which enforce its rules. Exceptions are in `sharedStores`.',
  function* () {
    for (const { from, at, target } of imports) {
      const [resource, other] = [resourceOf(from.path), resourceOf(target)];
      if (resource === undefined || other === undefined || other === resource) continue;
      if (!target.endsWith('/store.ts') || sharedStores[resource]?.[other] !== undefined) continue;
      yield { at, what: `${resource} imports ${target}` };
    }
  },
);

rule(
  'resources do not import each other in a cycle',
  'a resource builds on earlier ones; a cycle has no first one to read, to test or to migrate.',
  function* () {
    const uses = new Map<string, Set<string>>();
    for (const { from, target } of imports) {
      const [resource, other] = [resourceOf(from.path), resourceOf(target)];
      if (resource === undefined || other === undefined || resource === other) continue;
      uses.set(resource, (uses.get(resource) ?? new Set()).add(other));
    }
    for (const start of uses.keys()) {
      const reached = new Set(uses.get(start));
      for (const next of reached) for (const further of uses.get(next) ?? []) reached.add(further);
      if (reached.has(start)) yield { at: `server/resources/${start}`, what: 'imports itself through others' };
    }
  },
);

for (const [name, part] of Object.entries({
  'find-my-way': 'http',
  pg: 'base',
  pdfkit: 'documents',
  nodemailer: 'mail',
}))
  rule(
    `the package ${name} is imported by server/${part} alone`,
    'a package that is used in one place can be replaced in one place.',
    () =>
      imports
        .filter(({ from, target }) => new RegExp(`^@?${name}(/|$)`).test(target) && partOf(from.path) !== part)
        .map(({ at, target }) => ({ at, what: `imports ${target}` })),
  );

rule(
  'an import of a file names it with its ending',
  'Node finds no other file. A rule of the linter says the same, for a third of all its time.',
  () =>
    places(code, [/\b(from|import)[ (]'\.\.?(\/(?!.*(\/node_modules\/|\.(tsx?|mjs|css|json)')).*)?'/], withoutComment),
);

rule(
  'of undici and prom-client, single files are imported',
  'each package loads about a hundred files that Tollgate does not use, at every start of a command or a server.',
  () =>
    places(
      // A fake is loaded by its own command alone; a declaration is not loaded.
      server.filter(({ path }) => !/^server\/fakes\/|\.d\.ts$/.test(path)),
      [/^import (?!type ).*from '(undici|prom-client)';/],
    ),
);

rule(
  'no type shares its name with another',
  'one word has one meaning: a reader should not have to find out which of several types is meant.',
  function* () {
    const places = new Map<string, string[]>();
    for (const { path, text } of server)
      for (const [, name] of text.matchAll(/^(?:export )?(?:type|class|interface) (\w+)/gm))
        places.set(name!, [...(places.get(name!) ?? []), path]);
    for (const [name, paths] of places)
      if (paths.length > 1) yield { at: paths.join(', '), what: `${name} is declared ${paths.length} times` };
  },
);

// ── Environment, time, secrets ───────────────────────────────────────────────────────────────────────────────────────

/** Those of the reference do not read it: they write samples of programs that do. */
// The build of the dashboard sets a variable, and reads none.
const readsEnvironment = [
  'server/config.ts',
  'server/http/pages/reference/samples/typescript.ts',
  'dashboard/src/kit/typescript.ts',
  'dashboard/build.mjs',
];

rule(
  'the environment is read by server/config.ts alone',
  'every setting is then checked before anything starts, has one default, and can be listed. Tests, the benchmark and the examples are programs of their own.',
  () =>
    places(
      code.filter(
        ({ path, isTest }) => !isTest && !readsEnvironment.includes(path) && !/^(bench|examples)\//.test(path),
      ),
      [/\bprocess\??\.env\b/, /\benv\b[^=]*\} = process\b/, /['"](node:)?process['"]/],
      withoutComment,
    ),
);

rule(
  'time, timers and randomness are arguments, except in server/base, in the composition root (main.ts, commands/) and in scripts of pages (assets/)',
  'a test can then let three days pass in a millisecond and repeat random choices. Use Clock, after() and every() of server/base.',
  () =>
    places(
      server.filter(({ path }) => !/^server\/(base\/|commands\/|main\.ts$)|\/assets\//.test(path)),
      [
        /\bDate\.now\b/,
        /\bDate\(\)/,
        /\bMath\.random\b/,
        /(?<![.\w])set(Timeout|Interval)\b/,
        /\bperformance\.now\b/,
        /\bhrtime\b/,
        /['"](node:)?timers\b/,
      ],
      withoutComment,
    ),
);

/** The files that may open a secret, each with the reason. Folders end with a slash. */
const openers: Record<string, string> = {
  'server/vault/': 'it seals and opens cards',
  'server/base/keyring.ts': 'it derives keys from the root, and seals the root',
  'server/base/root_key.ts': 'it seals the root under another master key',
  'server/connectors/simulator/wire.ts': 'a processor needs the number; one file of each connector does it',
  'server/connectors/stripe/wire.ts': 'a processor needs the number; one file of each connector does it',
  'server/http/reading/confidential.ts': 'for what is hashed with a key immediately: the fingerprint of a request',
  'server/http/reading/redact.ts': 'for what is hashed with a key immediately: the digest in the request log',
  'server/resources/people/api_keys/': 'it hashes a key that was just made, and shows it once',
  'server/resources/events/webhook_endpoints/operations.ts': 'it shows a new secret once',
  'server/resources/people/users/password.ts': 'it hashes a password, and compares it with the hash',
  'server/resources/people/users/second_factor.ts': 'it compares codes with what is stored of them',
  'server/resources/people/invitations/': 'it hashes tokens that were sent or just made, and shows a link once',
  'server/resources/people/sessions/operations.ts':
    'it hashes tokens that were sent or just made, and shows a link once',
  'server/resources/people/me/email_code.ts': 'it compares a code with what is stored of it',
  'server/http/answering/answer.ts': 'it sets the cookie of a session',
  'server/resources/selling/portal/': 'it hashes the cookie of a session that has just begun, and sets it',
  'server/outbox/signature.ts': 'it signs what is sent',
  'server/mail/smtp/transport.ts': 'it logs in to the mail server',
  'server/resources/payments/processor_accounts/credentials.ts':
    'it seals credentials, compares them, and gives them to their connector',
  'server/base/tracing/otlp.ts': 'it sends the headers by which the collector knows it',
  'server/commands/listen/index.ts': 'it shows the secret that it signs with',
  'server/commands/listen/secret.ts': 'it keeps the secret that it has made',
};

rule(
  'a secret is opened only where `openers` says so',
  'only files that can see a card number can leak it. A connector opens it in its wire.ts.',
  function* () {
    const opens = [...places(server, [/(?<!this)(?<!vault)\.open\(\)/], withoutComment)];
    const allowed = (at: string) => Object.keys(openers).find((place) => at.startsWith(place));
    yield* opens.filter(({ at }) => allowed(at) === undefined);
    for (const place of Object.keys(openers))
      if (!opens.some(({ at }) => at.startsWith(place))) yield { at: place, what: 'no longer opens a secret' };
  },
);

rule('a card is taken out of the vault to be charged alone', 'nothing else needs the card number.', () =>
  places(
    server.filter(
      ({ path }) =>
        !path.startsWith('server/vault/') && path !== 'server/resources/payments/payment_methods/card/sealing.ts',
    ),
    [/\bvault\.open\(/],
    withoutComment,
  ),
);

// ── Size and state of the files ──────────────────────────────────────────────────────────────────────────────────────

const linesMax = 400;
const columnsMax = 150;

rule(
  `a source file has at most ${linesMax} lines`,
  'a longer file does more than one thing. Split it. A table of test cases may be longer, and what is generated.',
  () =>
    sources
      .filter(({ path, isTest }) => !isTest && !path.includes('/generated/'))
      .filter(({ lines }) => lines.length - 1 > linesMax)
      .map(({ path, lines }) => ({ at: path, what: `${lines.length - 1} lines` })),
);

const functionLinesMax = 60;
const functionStart =
  /^( *)(?:export )?(?:static )?(?:async )?(?:function\*? \w+|#?\w+(?:<.*>)?\(.*\).*\{$|const \w+ = (?:async )?\(.*=> \{$)/;

/** The end of the block that begins at this line: the next line that closes it with the same indentation. */
function endOf(lines: readonly string[], start: number, indent: string): number {
  const end = lines.findIndex((line, at) => at > start && line.startsWith(`${indent}}`) && !/^ *\}:? /.test(line));
  return end === -1 ? start : end;
}

rule(
  `a function has at most ${functionLinesMax} lines`,
  'a function that does not fit on a screen does several things. Give each of them a name.',
  function* () {
    for (const { path, lines } of server)
      for (const [at, line] of lines.entries()) {
        const indent = functionStart.exec(line)?.[1];
        if (indent === undefined || /^ *(if|for|while|switch|return)\b/.test(line)) continue;
        const length = endOf(lines, at, indent) - at + 1;
        if (length > functionLinesMax) yield { at: `${path}:${at + 1}`, what: `${length} lines` };
      }
  },
);

/** A line without the words in its strings: a sentence for people is not split, so that it can be searched for. */
function withoutWords(line: string): string {
  const bare = line.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
  return bare.replaceAll(
    /`((?:[^`\\]|\\.)*)`/g,
    (_, words: string) => `\`${words.match(/\$\{[^}]*\}/g)?.join('') ?? ''}\``,
  );
}

rule(
  `a line of source has at most ${columnsMax} columns, the words inside its strings not counted`,
  'code is read side by side and in small windows. Biome breaks code at 120; this rule is for comments and strings.',
  function* () {
    for (const { path, lines } of sources)
      for (const [at, line] of lines.entries())
        if (line.length > columnsMax && withoutWords(line).length > columnsMax)
          yield { at: `${path}:${at + 1}`, what: `${line.length} columns` };
  },
);

const prose = files.filter(({ path }) => path !== 'package-lock.json');

rule('nothing is left to be done later', 'a note in a file is a task without an owner. Do it, or write an issue.', () =>
  places(prose, [/\b(TO-?DO|FIX-?ME)\b/]),
);

rule(
  'no literal is spread into another',
  'its members can stand where the spread stands: it only keeps the formatter from giving each member a line.',
  () => places([...server, ...dashboard.filter(({ isTest }) => !isTest)], [/\.\.\.\{( |$)/]),
);

rule(
  'no test is skipped, focused or promised',
  'a test that does not run proves nothing and looks as if it did; a focused one disables all others. Skip on a condition only: skipIf(condition), or skip(condition, reason).',
  () =>
    places(
      tests,
      [
        /\b(test|it|describe|suite)(\.\w+)*\.(only|skip|todo|fails)\b/,
        /\b(skip|only|todo|fails): true\b/,
        /\bskip\((true|[^,]*\);$)/,
        /\b(skipIf|runIf)\((true|false|[01])?\)/,
        /\bx(it|test|describe)\(/,
      ],
      withoutComment,
    ),
);

// ── Errors, migrations, operations ───────────────────────────────────────────────────────────────────────────────────

rule(
  'every error code is used',
  'docs/errors.md documents each row of the table. Remove a row that no code uses.',
  function* () {
    const users = server.filter(({ path }) => !path.endsWith('/errors.ts'));
    for (const name of Object.keys(errorTable))
      if (!users.some(({ text }) => text.includes(`'${name}'`)))
        yield { at: 'an errors.ts', what: `${name} is used nowhere` };
  },
);

for (const [path, make] of Object.entries(generatedFiles))
  rule(
    `${path} is what \`npm run generate\` makes`,
    'it is generated from the catalog, so that the two cannot differ. Run: npm run generate',
    () => {
      const there = files.find((file) => file.path === path)?.lines ?? [];
      const made = make().split('\n');
      const at = made.findIndex((line, number) => line !== there[number]);
      if (at === -1 && made.length === there.length) return [];
      const line = at === -1 ? made.length : at;
      return [{ at: `${path}:${line + 1}`, what: `should be ${JSON.stringify(made[line] ?? 'the end')}` }];
    },
  );

rule(
  'migrations are numbered from 0001 without gaps',
  'they run in the order of their names, forward only: a gap is a missing migration, a duplicate number an undefined order.',
  function* () {
    for (const [at, { path }] of migrations.entries()) {
      const number = String(at + 1).padStart(4, '0');
      if (!new RegExp(`/${number}_[a-z0-9_]+\\.sql$`).test(path)) yield { at: path, what: `should be ${number}_….sql` };
    }
  },
);

rule(
  'every operation has a scope and a summary, and its name and its route are its own',
  'route, scope check, documentation, log name and metric all come from the operation.',
  function* () {
    const seen = new Set<string>();
    for (const operation of catalog.operations) {
      const { name, summary, scope, method, route } = operation;
      const at = `server/resources, operation ${name}`;
      const address = `${method} ${route.replaceAll(/:\w+/g, ':id')}`;
      if (!/^[a-z_]+\.[a-z_]+$/.test(name)) yield { at, what: 'its name should be <resource>.<verb>' };
      if (operations.includes(operation) && scope !== scopeOfAny && !catalog.scopes.includes(scope))
        yield { at, what: `${scope} is not a scope that a key can be granted` };
      if (!/^[A-Z].*[^.\s]$/.test(summary))
        yield { at, what: 'its summary should be a short phrase without a full stop' };
      if (seen.has(name)) yield { at, what: 'the name is taken' };
      if (seen.has(address)) yield { at, what: `${address} is taken` };
      seen.add(name).add(address);
    }
  },
);

// ── Tenants in statements ────────────────────────────────────────────────────────────────────────────────────────────

/** Statements that cannot name a tenant, by `file function`, each with the reason. One that is no longer needed fails. */
const acrossTenants: Record<string, string> = {
  'server/resources/views/search/walks.ts nextWalk': 'one server goes through the objects of every tenant',
  'server/resources/views/search/walks.ts walksLeft': 'a gauge of the whole installation',
  'server/operations/tenants.ts tenantOf': 'it finds the tenant',
  'server/operations/tenants.ts findTenant': 'it finds the tenant',
  'server/operations/tenants.ts everyTenant': 'it lists the tenants',
  'server/resources/payments/balance/verify.ts findOwners': 'it finds every tenant that has postings',
  'server/resources/payments/reconciliations/reconcile_reads.ts paymentsOf': 'each line is looked up by its own tenant',
  'server/resources/people/api_keys/store.ts findKeysByHash':
    'by the hash of a key: this is how a request finds its tenant',
  'server/resources/people/api_keys/store.ts findRecentHashes':
    'which keys exist, of all tenants: read once at the start',
  'server/resources/people/sessions/store.ts findMemberAccounts':
    'it finds the tenants that a person may choose between',
  'server/resources/people/sessions/store.ts findAccountAs': 'it finds the tenants of an account that somebody joins',
  'server/connectors/simulator/store.ts findChallengeAnywhere':
    'by the hash of a token from before tokens named their tenant',
  'server/connectors/simulator/notices.ts dueNewsAt':
    'a processor reports for all tenants together; each notice names its tenant',
  'server/http/maintenance.ts deleteExpired': 'by the time when a row expires: housekeeping for everybody',
  'server/ledger/restored.ts placeOf': 'it asks how far the ledger has come, which is one place for all tenants',
  'server/resources/payments/attempts/gauges.ts needsPerson': 'it counts for the metrics of the whole installation',
  'server/resources/events/webhook_endpoints/deliveries/due.ts countDue':
    'it counts for the metrics of the whole installation',
  'server/resources/payments/attempts/gauges.ts unknown': 'it counts for the metrics of the whole installation',
  'server/ledger/seal.ts unsealed': 'it asks whether any tenant has something to seal',
  'server/resources/payments/notices/store.ts findFlaggedNotices':
    'the operator handles the notices of all tenants; the account may not even exist',
  'server/resources/payments/notices/store.ts findFlaggedNotice':
    'by its id: a command is given no tenant, and the account may not exist',
  'server/resources/payments/notices/store.ts countFlaggedNotices': 'the operator handles the notices of all tenants',
  'server/resources/payments/notices/store.ts oldestDueSeconds': 'it counts for the metrics of the whole installation',
  'server/resources/payments/processor_accounts/locate.ts locateAccount':
    'by its id: this is how a notice of a processor finds its tenant',
  'server/vault/rotate.ts unfinishedTenants': 'it finds the tenants that a rotation has to move',
  'server/vault/rotate.ts makeNewKeys': 'a rotation makes a key for every tenant, in one transaction',
  'server/vault/sweep.ts sweepCvcs': 'by the time when a code expires: housekeeping for everybody',
};

/** The tables of the simulator were in a schema of their own. */
function renamed(table: string): string {
  return table.replace('simulator.', 'simulator_');
}

const tablesWithTenant = new Set(
  migrations.flatMap(({ text }) =>
    [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?([\w.]+) \((.*?)\n\)/gs)]
      .filter(([, , body]) => /^\s+tenant\b/m.test(body!))
      .flatMap(([, name]) => [name!, renamed(name!)]),
  ),
);

/** What a statement of a migration does for as long as a large table takes. `own`: the tables that the migration itself creates. */
function lengthyStep(statement: string, own: ReadonlySet<string>): string | undefined {
  const isLarge = (table: string | undefined) => table !== undefined && tablesWithTenant.has(table) && !own.has(table);
  const [, changed] = /^(?:update|delete from|insert into) ([\w.]+)/i.exec(statement) ?? [];
  if (isLarge(changed)) return `changes the rows of ${changed}: let a maintenance task do so in steps`;
  const [, isConcurrent, indexed] = /^create (?:unique )?index (concurrently )?.*? on ([\w.]+)/is.exec(statement) ?? [];
  if (isLarge(indexed) && isConcurrent === undefined) return `builds an index on ${indexed} without concurrently`;
  const [, altered] = /^alter table ([\w.]+)/i.exec(statement) ?? [];
  if (isLarge(altered) && /\balter column \w+ (?:set data )?type\b|\bset not null\b/i.test(statement))
    return `reads or writes all of ${altered} anew`;
  if (isLarge(altered) && /\badd constraint\b/i.test(statement) && !/\bnot valid\b/i.test(statement))
    return `checks all rows of ${altered} under a lock: add the constraint as not valid, and validate it in a later statement`;
  return undefined;
}

/** A validation reads a whole table. In one transaction with the other statements, it does so under the locks that they hold. */
const lockingValidation = (text: string) =>
  /^alter table [^;]*\bvalidate constraint\b/im.test(text) && !text.includes('-- tollgate: no transaction\n');

rule(
  'a migration does not work through a table with a tenant',
  'such a table can have millions of rows, and one statement over all of them means downtime or a lock: see server/migrations/README.md.',
  function* () {
    for (const { path, text } of migrations) {
      const own = new Set(
        [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?([\w.]+)/g)].map(([, name]) => name!),
      );
      for (const statement of statementsIn(text)) {
        const step = lengthyStep(statement, own);
        if (step !== undefined) yield { at: path, what: step };
      }
      if (lockingValidation(text)) yield { at: path, what: 'validates a constraint in a transaction that holds locks' };
    }
  },
);

function needsTenant(sql: string): boolean {
  const named = [...sql.matchAll(/\b(?:from|into|update|join)\s+([\w.]+|\$\{)/g)].map(([, name]) => name!);
  return named.some((name) => name === '${' || tablesWithTenant.has(name));
}

function namesTenant(sql: string): boolean {
  const [, columns] = /^insert into [\w.]+(?: as \w+)? \(([^)]*)\)/.exec(sql) ?? [];
  const condition = /\bwhere\b.*/s.exec(sql)?.[0];
  return /\btenant\b/.test(columns ?? condition ?? '');
}

rule(
  'every statement on a table with a tenant names the tenant: in its columns when it inserts, else in its where',
  'the tenant is one account in one mode. A statement without it can read or change the data of another account, or mix test and live.',
  function* () {
    const parts = ['ledger', 'vault', 'outbox', 'connectors', 'operations', 'resources', 'http', 'worker', 'commands'];
    const statements = server.filter(({ path }) => parts.includes(partOf(path)!)).flatMap(statementsOf);
    const bad = statements.filter(({ sql }) => needsTenant(sql) && !namesTenant(sql));
    for (const { at, place, sql } of bad)
      if (acrossTenants[place] === undefined) yield { at, what: sql.replaceAll(/\s+/g, ' ').slice(0, 80) };
    for (const place of Object.keys(acrossTenants))
      if (!bad.some((statement) => statement.place === place))
        yield { at: place, what: 'no longer needs an exception' };
  },
);

// ── The directory and the places of tenants ──────────────────────────────────────────────────────────────────────────

/** Tables of the directory that have no `Table`, because they are not written by the committer. */
const directoryTables = new Set([
  ...['root_keys', 'api_key_uses', 'sign_in_failures', 'code_tries', 'mail_requests', 'mail_minutes'],
  ...tablesIn('directory'),
]);
const tablesOfBoth = new Set(['requests', 'anonymous_requests', ...tablesIn('both')]);

/** The tables that declare this home. */
function tablesIn(home: string): string[] {
  const declared = new RegExp(String.raw`\btable\('([\w.]+)', \{\s*home: '${home}'`, 'g');
  return server.flatMap(({ text }) => [...text.matchAll(declared)].map(([, name]) => name!));
}

function homesIn(sql: string): Set<string> {
  const named = [...sql.matchAll(/\b(?:from|join|into|update|using)\s+([\w.]+|\$\{tenantsTable\})/g)].map(
    ([, name]) => name!,
  );
  const homes = named.flatMap((name) => {
    if (name.startsWith('$') || directoryTables.has(name)) return ['directory'];
    return allTables.includes(name) && !tablesOfBoth.has(name) ? ['place'] : [];
  });
  return new Set(homes);
}

rule(
  'a statement is about the directory or about tables of tenants, never about both',
  'they can be on different servers. Read the one first, and give it to the statement on the other as a parameter: `everyTenant` for all tenants.',
  () =>
    server
      .flatMap(statementsOf)
      .filter(({ sql }) => homesIn(sql).size > 1)
      .map(({ at, sql }) => ({ at, what: sql.replaceAll(/\s+/g, ' ').slice(0, 80) })),
);

rule(
  'a cluster has each table where its declaration says',
  'a table of the directory that is distributed is reached through the planner of Citus, and not at all while a server is down.',
  function* () {
    const at = 'server/citus/homes.ts';
    for (const table of directoryTables)
      if (tablesWithTenant.has(table) && !citus.directoryTables.includes(table))
        yield { at, what: `${table} is of the directory: name it in directoryTables` };
    for (const table of tablesIn('both'))
      if (citus.sharedTables[table] === undefined) yield { at, what: `${table} is of both: name it in sharedTables` };
  },
);

// ── Owners of tables ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Exceptions, by `file function`, each with the reason. One that is no longer needed fails. */
const foreignTables: Record<string, string> = {
  'server/base/accept_schema.ts requireReadableKeys':
    'keys in a form of the version before the baseline, which the owner of the table does not know any more',
  'server/resources/payments/balance/rules.ts':
    'the books against what they are the books of: rules that share nothing with the code which has to keep them',
  'server/resources/payments/balance/invoice_rules.ts':
    'invoices against what they change together with, in the same way',
  'server/resources/payments/balance/verify.ts findOwners':
    'it finds who has something in the ledger, accounts that do not exist included',
  'server/resources/payments/reconciliations/reconcile_reads.ts tenantsWithPostings':
    'it reads the books, for the comparison with a processor',
  'server/resources/payments/reconciliations/reconcile_reads.ts postingsAfter':
    'it reads the books with what they are about, in one order',
  'server/resources/payments/reconciliations/reconcile_reads.ts undoneOf':
    'it names the approvals that were undone, which the ledger never had',
  'server/resources/payments/reconciliations/reconcile_reads.ts paymentsOf':
    'it names the payments that a statement of a processor is about',
  'server/resources/people/api_keys/store.ts findKeysByHash': 'an account, its tenants and its keys are one domain',
  'server/resources/people/sessions/store.ts findMemberAccounts': 'a person, the roles and the accounts are one domain',
  'server/resources/people/sessions/store.ts findSessionByHash':
    'a session and its user are found together, for each request',
  'server/resources/people/sessions/store.ts findAccountAs': 'a person, the roles and the accounts are one domain',
  'server/resources/people/sessions/store.ts isOpen': 'a session is over when its user has another password',
  'server/resources/people/sessions/store.ts noteSessionsUsed':
    'a session that is used shows when its user was last seen',
  'server/resources/people/users/store.ts findUsersToTry':
    'of several users of an email, those are tried who signed in from here',
  'server/resources/people/users/store.ts members': 'when a user was last seen is when a session was last used',
  'server/resources/people/audit_log/refused.ts insertRefused':
    'whose owners are notified is found when the row is written: a read before would reveal which emails are known',
};

const droppedTables = new Set(
  migrations.flatMap(({ text }) => [...text.matchAll(/^drop table ([\w.]+)/gm)].map(([, name]) => name!)),
);
const allTables = migrations
  .flatMap(({ text }) => [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?([\w.]+)/g)])
  .map(([, name]) => renamed(name!))
  .filter((name) => !droppedTables.has(name));

const tableUses = server
  .flatMap((source) => namedTables(source, allTables))
  .map((use) => ({ ...use, folder: folderOf(use.at) }));

/** The folder of a resource or of a connector, and otherwise the part. */
function folderOf(path: string): string {
  return (/^server\/(?:resources\/\w+|connectors|fakes)\/\w+(?=\/)/.exec(path) ?? /^server\/\w+/.exec(path)!)[0];
}

/** The folders that declare a `Table`; of a table that none declares, those whose SQL names it without an exception. */
function ownersOf(table: string): string[] {
  const uses = tableUses.filter((use) => use.table === table);
  const declared = uses.filter(({ isDeclared }) => isDeclared);
  const owners = declared.length > 0 ? declared : uses.filter(({ place }) => foreignTables[place] === undefined);
  return [...new Set(owners.map(({ folder }) => folder))];
}

rule('every table has one owner', 'one folder holds the rules of a table: declare its `Table` there.', () =>
  allTables
    .filter((table) => ownersOf(table).length !== 1)
    .map((table) => ({ at: table, what: `should have one owner, and has ${ownersOf(table).join(', ') || 'none'}` })),
);

rule(
  'a table is named in SQL by the folder that owns it, and by no other',
  'imports do not show that a statement uses the table of another folder. Use the exports of the owner: a function, a part of a statement, or its Table.',
  function* () {
    const ownerOf = new Map(allTables.map((table) => [table, ownersOf(table)[0]]));
    const foreign = tableUses.filter(({ folder, table }) => folder !== ownerOf.get(table));
    for (const { at, place, table } of foreign)
      if (foreignTables[place] === undefined)
        yield { at, what: `names ${table}, which belongs to ${ownerOf.get(table)}` };
    for (const place of Object.keys(foreignTables))
      if (!foreign.some((named) => named.place === place)) yield { at: place, what: 'no longer needs an exception' };
  },
);

/** The literal message of a line that a person should read. A level in brackets is `warn`, or `debug` during an outage. */
const loudMessage = /\blog(?:\.(?:warn|error)|\[[\w()]+\])\(\s*\{[^;]*?\},\s*'([^'\n]+)',?\s*\)|'(incident: [^']+)'/gi;

rule(
  'every warning and error of the log is in the table of docs/operations.md',
  'it needs a person, who looks up there what to do.',
  function* () {
    const table = files.find(({ path }) => path === 'docs/operations.md')!.text;
    // A row may have two messages, and may end one by an ellipsis.
    const documented = [...table.matchAll(/^\| (?:error|warn) \| `(.*?)` \|/gm)].flatMap(([, messages]) =>
      messages!.split('`, `').map((message) => message.replace(/ ?…$/, '')),
    );
    for (const source of server)
      for (const { 1: message, 2: incident, index } of source.text.matchAll(loudMessage)) {
        const logged = (message ?? incident)!;
        if (!documented.some((known) => logged.startsWith(known))) yield { at: placeOf(source, index), what: logged };
      }
    for (const known of documented)
      if (!server.some(({ text }) => text.includes(`'${known}`)))
        yield { at: 'docs/operations.md', what: `"${known}" is logged nowhere` };
  },
);

// ── Independence of machines ─────────────────────────────────────────────────────────────────────────────────────────

rule(
  'no file contains a path of a particular machine or the name of a package registry',
  'such a path works on one machine only, and a lock file that names a registry binds everybody to it.',
  () =>
    places(files, [
      /(?<![\w.])\/(work\/(main|shared)|home\/\w|Users\/\w|root\/\w)/,
      /\bregistry\.[\w-]+\.\w{2,}/,
      /\bregistry=\S/,
      /"resolved": "https?:/,
    ]),
);
