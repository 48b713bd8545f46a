import { type Connection, query, reasonOf, type Sql } from '../base/sql.ts';
import { sharedTables } from './homes.ts';
import { quoted } from './names.ts';
import { nameOf } from './places.ts';
import { type CitusNode, hasCitus, readNodes, workersOf } from './shards.ts';
import { tenantTables } from './tables.ts';

/** What a database has to be before its tables can be distributed. */
export type Requirement = { name: string; isMet: boolean; message: string };

type Connect = (node: CitusNode) => Promise<Connection>;
const met = (name: string, message: string): Requirement => ({ name, isMet: true, message });
const unmet = (name: string, message: string): Requirement => ({ name, isMet: false, message });

/** Each is a step: after the first that is not met, the next ones are not looked at. */
export async function requirements(coordinator: Sql, connectTo: Connect): Promise<Requirement[]> {
  const found: Requirement[] = [];
  for await (const requirement of inspect(coordinator, connectTo)) {
    found.push(requirement);
    if (!requirement.isMet) break;
  }
  return found;
}

async function* inspect(coordinator: Sql, connectTo: Connect): AsyncGenerator<Requirement> {
  if (!(await hasCitus(coordinator)))
    return yield unmet(
      'citus',
      'the database has no Citus: it is one PostgreSQL. docs/scale.md says what to do, and when',
    );
  const nodes = await readNodes(coordinator);
  const workers = workersOf(nodes);
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    return yield unmet(
      'citus',
      'the cluster does not know its coordinator. Run in the database: select citus_set_coordinator_host(...)',
    );
  if (workers.length === 0)
    return yield unmet(
      'workers',
      'the cluster has no workers. Run in the database, for each: select citus_add_node(...)',
    );
  const own = await factsOf(coordinator);
  yield met('citus', `Citus ${own.citus} on PostgreSQL ${own.postgres}`);
  for (const worker of workers) yield await workerLook(worker, own, connectTo);
  yield* await tenantless(coordinator);
  yield own.mayCreate
    ? met('role', 'the role may create roles, and owns the tables')
    : unmet(
        'role',
        'the role must own the tables, and be a superuser or have CREATEROLE, on all servers of the cluster',
      );
}

/** Rows that no place could have would stop the distribution half way. Those of shared tables stay in the directory. */
async function tenantless(coordinator: Sql): Promise<Requirement[]> {
  const found: Requirement[] = [];
  for (const { name, isNullable } of await tenantTables(coordinator)) {
    if (!isNullable || name in sharedTables) continue;
    const [left] = await query<{ rows: number }>(
      coordinator,
      `select count(*) as rows from public.${quoted(name)} where tenant is null`,
      [],
    );
    if (left!.rows > 0)
      found.push(
        unmet(
          'rows',
          `${left!.rows} rows of ${name} belong to no account. Run in the database: delete from ${name} where tenant is null`,
        ),
      );
  }
  return found;
}

type ServerFacts = { citus: string | null; postgres: string; level: string; mayCreate: boolean; tables: number };

async function factsOf(sql: Sql): Promise<ServerFacts> {
  const [facts] = await query<ServerFacts>(
    sql,
    `select (select extversion from pg_extension where extname = 'citus') as citus, current_setting('server_version') as postgres,
            current_setting('wal_level') as level,
            (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
              and not exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
                               and not pg_has_role(relowner, 'member')) as "mayCreate",
            (select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
                and not exists (select from pg_catalog.pg_dist_partition where logicalrelid = pg_class.oid)) as tables`,
    [],
  );
  return facts!;
}

async function workerLook(worker: CitusNode, own: ServerFacts, connectTo: Connect): Promise<Requirement> {
  const name = `worker ${nameOf(worker)}`;
  let sql: Connection | undefined;
  try {
    sql = await connectTo(worker);
    if (!(await hasCitus(sql))) return unmet(name, 'has no Citus in this database');
    const { citus, postgres, level, mayCreate, tables } = await factsOf(sql);
    if (citus !== own.citus) return unmet(name, `has Citus ${citus}, and the coordinator ${own.citus}`);
    if (level !== 'logical')
      return unmet(name, `has wal_level ${level}: places could not be moved. Set it to logical, and restart`);
    if (!mayCreate) return unmet(name, 'the role of DATABASE_URL may not create roles there');
    if (tables > 0) return unmet(name, 'has tables of its own in the schema public: use an empty database');
    return met(name, `Citus ${citus} on PostgreSQL ${postgres}`);
  } catch (error) {
    return unmet(name, `does not answer: ${reasonOf(error)}`);
  } finally {
    await sql?.end().catch(() => {});
  }
}

/** What the tables have now; as much has to be free on the workers together, and as much again on the coordinator for its log. */
export async function databaseBytes(sql: Sql): Promise<number> {
  const [found] = await query<{ bytes: number }>(sql, 'select pg_database_size(current_database()) as bytes', []);
  return found!.bytes;
}
