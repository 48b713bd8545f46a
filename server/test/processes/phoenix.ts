import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { type Answer, Client } from '../client.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { type Child, type Environment, patienceMs, until } from './child.ts';
import { Children, entry } from './children.ts';
import { type CrashPoint, crashNote, holdingPoints, holdNote } from './crash_point.fixture.ts';
import { compileCache } from './resident.ts';

export type Place = 'local' | 'remote';
/** `during`: what the attempt is made for, where the verb alone does not tell. */
export type CrashCase = { verb: string; point: CrashPoint; during?: string };

const titleOf = ({ verb, point, during = verb }: CrashCase) => `${during}, ${point}`;

/** A server that is killed and started again on one database. */
export class Phoenix {
  readonly sql: Connection;
  readonly crashDir: string;
  readonly #children: Children;
  readonly #drop: () => Promise<void>;
  readonly #environment: Environment;
  readonly #clients: Client[] = [];
  #child: Child | undefined;
  #baseUrl = '';

  private constructor(children: Children, database: { sql: Connection; drop: () => Promise<void> }, own: Environment) {
    this.sql = database.sql;
    this.crashDir = own.CRASH_DIR!;
    this.#children = children;
    this.#drop = database.drop;
    this.#environment = children.serveEnvironment(own);
  }

  static async hatch(simulator: Place): Promise<Phoenix> {
    const children = new Children();
    const { url, address, drop } = await createDatabase();
    const sql = children.keep(await connect(address, 'test'));
    const own = { DATABASE_URL: url, SIMULATOR: simulator, CRASH_DIR: children.directory('crashes') };
    return new Phoenix(children, { sql, drop }, own);
  }

  async account(): Promise<{ key: string; tenant: number }> {
    const { account, test_secret_key: key } = await this.#children.account(this.#environment);
    const tenant = `select tenant from tenants where account = $1 and mode = 'test'`;
    return { key, tenant: (await this.sql.query(tenant, [account])).rows[0].tenant };
  }

  /** Of the one that runs; a dead one is replaced. */
  async client(key: string): Promise<Client> {
    if (this.#child === undefined || this.#child.ending !== undefined) await this.#rise();
    const client = new Client(this.#baseUrl, readFileSync(join(inject('certificateDir'), 'ca.pem'), 'utf8'), key);
    this.#clients.push(client);
    return client;
  }

  async #rise(): Promise<void> {
    this.#end();
    const fixture = pathToFileURL(join(import.meta.dirname, 'crash_point.fixture.ts')).href;
    const environment = this.#children.environment({ ...this.#environment, NODE_COMPILE_CACHE: compileCache });
    // With the heap flag; without it the process would restart itself and load the fixture twice.
    const args = ['--max-semi-space-size=16', '--import', fixture, entry, 'serve'];
    this.#child = this.#children.spawn(process.execPath, args, { cwd: environment.HOME!, environment });
    const [, port] = await this.#child.prints(/"port":(\d+),"msg":"serving"/);
    this.#baseUrl = `https://localhost:${port}`;
  }

  /** The requests end with the death of the process. */
  async dies(requests: Promise<Answer>[]): Promise<void> {
    const answers = await Promise.all(requests.map((request) => request.catch(() => undefined)));
    expect(answers.map((answer) => answer?.text)).toEqual(requests.map(() => undefined));
    expect(await this.#child!.ends()).toEqual({ code: null, signal: 'SIGKILL' });
  }

  async cleanUp(): Promise<void> {
    this.#end();
    await this.#children.cleanUp();
    await this.#drop();
  }

  #end(): void {
    for (const client of this.#clients.splice(0)) client.close();
    if (this.#child?.ending === undefined) this.#child?.signal('SIGTERM');
  }
}

/** One kill: the request that triggers it, and others that wait at their points by then. */
type Kill<Case> = { dying: Case; beside: Case[] };

/**
 * A start takes most of the time of a case, so one kill covers several. Under torture each case has its own kill. Of the requests that
 * wait with a connection of the processor's, a kill has one, and only where the dying request needs no more than the other connection.
 */
function killsFor<Case extends CrashCase>(cases: readonly Case[]): Kill<Case>[] {
  if (isTorture) return cases.map((dying) => ({ dying, beside: [] }));
  const kills: Kill<Case>[] = cases.filter((one) => !canHold(one)).map((dying) => ({ dying, beside: [] }));
  const isConnected = ({ point }: CrashCase) => point === 'before_call' || point === 'sent_not_done';
  let next = 0;
  for (const one of cases.filter(canHold)) {
    let kill = kills[next++ % kills.length]!;
    if (isConnected(one) && kill.beside.some(isConnected))
      kill = kills.find(({ beside }) => !beside.some(isConnected))!;
    kill.beside.push(one);
  }
  return kills;
}

function canHold({ point }: CrashCase): boolean {
  return holdingPoints.includes(point);
}

/** The request that is in progress when the server dies. */
export type CrashScene = { key: string; tenant: number; request: (client: Client) => Promise<Answer> };

type CrashPlay<Case, Scene> = {
  /** `note` goes into the description of the payment, or into the metadata. */
  prepare: (phoenix: Phoenix, one: Case, note: { text: string; name: string }) => Promise<Scene>;
  verify: (phoenix: Phoenix, one: Case, scene: Scene) => Promise<void>;
};

/** Kills servers at all points, and verifies each case on the server that follows. */
export function crashes<Case extends CrashCase, Scene extends CrashScene>(
  simulator: Place,
  cases: readonly Case[],
  { prepare, verify }: CrashPlay<Case, Scene>,
): void {
  let phoenix: Phoenix;
  beforeAll(async () => {
    phoenix = await Phoenix.hatch(simulator);
  });
  afterAll(() => phoenix.cleanUp());

  const kills = killsFor(cases).map((kill) => ({ ...kill, title: titleOf(kill.dying) }));
  describe.each(kills)('$title', ({ dying, beside }) => {
    const scenes = new Map<Case, Scene>();

    beforeAll(async () => {
      const nameOf = ({ verb, point, during = verb }: Case) => `${simulator}-${during}-${point}`;
      for (const one of [...beside, dying]) {
        const [name, note] = [nameOf(one), one === dying ? crashNote : holdNote];
        scenes.set(one, await prepare(phoenix, one, { name, text: note(one.verb, one.point, name) }));
      }
      const requests: Promise<Answer>[] = [];
      for (const [one, { key, request }] of scenes) {
        requests.push(request(await phoenix.client(key)));
        requests.at(-1)!.catch(() => {});
        const marker = join(phoenix.crashDir, nameOf(one));
        await until(`${one.during ?? one.verb} has come to ${one.point}`, patienceMs, () => existsSync(marker));
      }
      await phoenix.dies(requests);
      await timeStandsStill(phoenix.sql);
    });

    const titled = [...beside, dying].map((one): [string, Case] => [titleOf(one), one]);
    test.each(titled)('%s', async (_title, one) => verify(phoenix, one, scenes.get(one)!));
  });
}

/** Keeps rows from becoming due before their own test, however long the others take. */
async function timeStandsStill(sql: Connection): Promise<void> {
  await sql.query(`update attempts set deadline_at = now() + interval '1 hour' where state in ('open', 'unknown')`);
  for (const table of ['payments', 'disputes'])
    await sql.query(`update ${table} set due_at = now() + interval '1 hour' where open_attempt is not null`);
  await sql.query(`update refunds set due_at = now() + interval '1 hour' where due_at is not null`);
}
