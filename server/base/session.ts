import { type Connection, query, type Sql, Unfit } from './sql.ts';

const replaced = {
  reason: 'session settings differ',
  message:
    'connections to the database have settings that Tollgate cannot work with, so nothing can be changed; remove them from the role, the database or the proxy in between',
};

const shared = {
  reason: 'pooler in transaction mode',
  message:
    'a pooler between Tollgate and the database hands the same server connection to several clients, so nothing can be changed; set it to session mode, or connect directly',
};

/** Between Tollgate and the database is a pooler in transaction mode: locks, settings and statements of a session would be others' too. */
export class SharedBackend extends Unfit {
  constructor() {
    super(
      'a pooler in transaction mode is in between: two transactions of one connection ran in different server processes',
      shared,
    );
  }
}

/** Facts of a session, as a new connection reads them. */
export type SessionFacts = { backend: number; other_settings: string[] };

/** The settings that a connection was opened with. */
export function wantedSettings(sql: Sql): { names: string[]; values: string[] } {
  const { session = {} } = sql as Partial<Connection>;
  return { names: Object.keys(session), values: Object.values(session) };
}

/** Columns of `SessionFacts`, for a statement that is sent anyway; the parameters are the wanted settings. */
export function sessionFacts(names: string, values: string): string {
  return `pg_backend_pid() as backend, array(
    select w.name || ' is ' || current_setting(w.name) || ' and not ' || w.value from unnest(${names}::text[], ${values}::text[]) w (name, value)
     where current_setting(w.name) <> w.value
    union all
    select 'session_replication_role is ' || r || ' and not origin' from current_setting('session_replication_role') r where r <> 'origin'
  ) as other_settings`;
}

/**
 * Poolers drop the options of a connection, pgbouncer among them: the settings are then made by a statement. What still differs cannot be
 * set by an ordinary role: with another `session_replication_role` than `origin`, for example, foreign keys are not checked.
 */
export async function applySettings(sql: Sql, { other_settings }: SessionFacts): Promise<void> {
  if (other_settings.length === 0) return;
  const { names, values } = wantedSettings(sql);
  const text = 'select set_config(w.name, w.value, false) from unnest($1::text[], $2::text[]) w (name, value)';
  await query(sql, text, [names, values]);
  const { other_settings: left } = await factsOf(sql);
  if (left.length > 0) throw new Unfit(`the session has other settings: ${left.join(', ')}`, replaced);
}

/** How many other connections are opened to see whether one of them gets the server process of the first. */
const othersMax = 3;

/**
 * Rejects a pooler in transaction mode. A single client of such a pooler mostly gets the same server process again, so others compete for
 * it: each keeps a transaction open. Direct connections are recognized by the process that PostgreSQL announces, and cost one statement.
 */
export async function requireOwnBackend(client: Connection, connectAnother: () => Promise<Connection>): Promise<void> {
  const facts = await factsOf(client);
  await applySettings(client, facts);
  if (facts.backend === announced(client)) return;
  await using opened = new AsyncDisposableStack();
  for (let others = 0; others < othersMax; others++) {
    const other = await connectAnother().catch(() => undefined);
    if (other === undefined) break; // no further connection is accepted: each client has its own
    opened.defer(() => other.end());
    const backend = await other.query('begin').then(
      async () => (await factsOf(other)).backend,
      () => undefined,
    );
    if (backend === facts.backend) throw new SharedBackend();
  }
  if ((await factsOf(client)).backend !== facts.backend) throw new SharedBackend();
}

async function factsOf(client: Sql): Promise<SessionFacts> {
  const { names, values } = wantedSettings(client);
  return (await query<SessionFacts>(client, `select ${sessionFacts('$1', '$2')}`, [names, values]))[0]!;
}

/** The process id that the server has announced, which pg does not declare. */
function announced(client: Connection): number {
  return (client as unknown as { processID: number }).processID;
}
