import { inject } from 'vitest';
import type { Connection } from '../../base/sql.ts';
import { type createDatabase, type ServerOptions, startServer, type TestServer } from '../harness.ts';

type Database = Awaited<ReturnType<typeof createDatabase>>;

let roles = 0;

/**
 * Gateways on one database, each of which can be killed. An instance has its own database role, so that it can be shut out for good,
 * as if its process had died.
 */
export class Mortals {
  readonly #database: Database;
  readonly #sql: Connection;
  readonly #roles = new Map<TestServer, string>();
  readonly #dying: Promise<void>[] = [];

  /** The connection is that of a superuser. */
  constructor(database: Database, sql: Connection) {
    this.#database = database;
    this.#sql = sql;
  }

  async start(options: ServerOptions): Promise<TestServer> {
    const role = `simulation_${process.pid}_${++roles}`;
    const owner = inject('postgres').user;
    await this.#sql.query(`create role ${role} login password 'simulation' in role ${owner}`);
    await this.#sql.query(`alter role ${role} set role ${owner}`); // what it makes belongs to the owner of the database
    const url = new URL(this.#database.url);
    url.username = role;
    url.password = 'simulation';
    const server = await startServer({ ...options, databaseUrl: url.href });
    this.#roles.set(server, role);
    return server;
  }

  async kill(server: TestServer): Promise<void> {
    const role = this.#roles.get(server)!;
    await this.#sql.query(`alter role ${role} nologin`);
    await this.#sql.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
    this.#dying.push(server.stop().catch(() => {}));
  }

  /** When everything that was killed has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#dying);
  }

  /** Once the database is gone: until then it depends on the roles. */
  async dropRoles(admin: Connection): Promise<void> {
    for (const role of this.#roles.values()) await admin.query(`drop role if exists ${role}`).catch(() => {});
  }
}
