import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { type Answer, Client } from '../client.ts';
import { createDatabase } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { type Child, type Environment, patienceMs, until } from './child.ts';
import { Children, entry } from './children.ts';
import { type CrashPoint, callPoints, crashNote, holdingPoints, holdNote } from './crash_point.fixture.ts';
import { compileCache } from './resident.ts';

export type Place = 'local' | 'remote';
/** `during`: what the attempt is made for, where the verb alone does not tell. */
export type CrashCase = { verb: string; point: CrashPoint; during?: string };

const titleOf = ({ verb, point, during = verb, place }: CrashAct) => `${place}: ${during}, ${point}`;

/** A server that is killed and started again on one database. */
export class Phoenix {
  readonly sql: Connection;
  readonly crashDir: string;
  readonly #children: Children;
  readonly #drop: () => Promise<void>;
  readonly #environment: Environment;
  #child: Child | undefined;
  /** Of the server that runs. All requests share its connections, as far as none waits. */
  #anonymous: Client | undefined;

  private constructor(children: Children, database: { sql: Connection; drop: () => Promise<void> }, own: Environment) {
    this.sql = database.sql;
    this.crashDir = own.CRASH_DIR!;
    this.#children = children;
    this.#drop = database.drop;
    this.#environment = children.serveEnvironment(own);
  }

  static async hatch(): Promise<Phoenix> {
    const children = new Children();
    const { url, address, drop } = await createDatabase();
    const sql = children.keep(await connect(address, 'test'));
    const own = { DATABASE_URL: url, SIMULATOR: 'remote', CRASH_DIR: children.directory('crashes') };
    return new Phoenix(children, { sql, drop }, own);
  }

  /** Its processor is the simulator, remote unless it has an account there that is local. */
  async account(place: Place): Promise<{ key: string; tenant: number }> {
    const { account, test_secret_key: key } = await this.#children.account(this.#environment);
    if (place === 'local') {
      const processor = { connector: 'simulator', name: 'Local', settings: { place } };
      const made = await (await this.client(key)).post('/v1/processor_accounts', processor);
      expect(made.status, made.text).toBe(200);
    }
    const tenant = `select tenant from tenants where account = $1 and mode = 'test'`;
    return { key, tenant: (await this.sql.query(tenant, [account])).rows[0].tenant };
  }

  /** Of the one that runs; a dead one is replaced. */
  async client(key: string): Promise<Client> {
    if (this.#child === undefined || this.#child.ending !== undefined) await this.#rise();
    return this.#anonymous!.as(key);
  }

  async #rise(): Promise<void> {
    this.#end();
    const fixture = pathToFileURL(join(import.meta.dirname, 'crash_point.fixture.ts')).href;
    const environment = this.#children.environment({ ...this.#environment, NODE_COMPILE_CACHE: compileCache });
    // With the heap flag; without it the process would restart itself and load the fixture twice.
    const args = ['--max-semi-space-size=16', '--import', fixture, entry, 'serve'];
    this.#child = this.#children.spawn(process.execPath, args, { cwd: environment.HOME!, environment });
    const [, port] = await this.#child.prints(/"port":(\d+),"msg":"serving"/);
    const ca = readFileSync(join(inject('certificateDir'), 'ca.pem'), 'utf8');
    this.#anonymous = new Client(`https://localhost:${port}`, ca);
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
    this.#anonymous?.close();
    if (this.#child?.ending === undefined) this.#child?.signal('SIGTERM');
  }
}

/** The request that is in progress when the server dies. */
export type CrashScene = { key: string; tenant: number; request: (client: Client) => Promise<Answer> };

/** What the tests of one noun do with each of their cases. */
export type CrashPlay<Case, Scene> = {
  /** `note` goes into the description of the payment, or into the metadata. */
  prepare: (phoenix: Phoenix, one: Case, note: Note) => Promise<Scene>;
  verify: (phoenix: Phoenix, one: Case, scene: Scene) => Promise<void>;
};
export type Note = { text: string; name: string; place: Place };

/** A case with its play. */
export type CrashAct = CrashCase & {
  /** Of the processor. */
  place: Place;
  prepare: (phoenix: Phoenix, note: Note) => Promise<CrashScene>;
  verify: (phoenix: Phoenix) => Promise<void>;
  /** The act that has to die before this one begins. */
  follows?: CrashAct;
};

export function actsOf<Case extends CrashCase, Scene extends CrashScene>(
  cases: readonly Case[],
  place: Place,
  { prepare, verify }: CrashPlay<Case, Scene>,
): CrashAct[] {
  return cases.map((one) => {
    let scene: Scene;
    return {
      ...one,
      place,
      async prepare(phoenix, note) {
        scene = await prepare(phoenix, one, note);
        return scene;
      },
      verify: (phoenix) => verify(phoenix, one, scene),
    };
  });
}

/** One kill: the request that triggers it, and others that wait at their points by then. */
type Kill = { dying: CrashAct; beside: CrashAct[] };

/** A start takes most of the time of a case, so one kill covers several. Under torture each case has its own kill. */
function killsFor(acts: readonly CrashAct[]): Kill[] {
  if (isTorture) return acts.map((dying) => ({ dying, beside: [] }));
  const kills: Kill[] = acts.filter((one) => !canHold(one)).map((dying) => ({ dying, beside: [] }));
  let next = 0;
  for (const one of acts.filter(canHold)) {
    const before = kills.findIndex(({ beside }) => beside.includes(one.follows!));
    kills[before === -1 ? next++ % kills.length : before + 1]!.beside.push(one);
  }
  // The time of a call is limited, so those that wait in theirs come last.
  for (const { beside } of kills) beside.sort((a, b) => Number(isCall(a)) - Number(isCall(b)));
  return kills;
}

const canHold = ({ point }: CrashCase) => holdingPoints.includes(point);
const isCall = ({ point }: CrashCase) => callPoints.includes(point);

/** Kills servers at all points, and verifies each act on the server that follows. */
export function crashes(acts: readonly CrashAct[]): void {
  let phoenix: Phoenix;
  beforeAll(async () => {
    phoenix = await Phoenix.hatch();
  });
  afterAll(() => phoenix.cleanUp());

  const kills = killsFor(acts).map((kill) => ({ ...kill, title: titleOf(kill.dying) }));
  describe.each(kills)('$title', ({ dying, beside }) => {
    const all = [...beside, dying];

    beforeAll(async () => {
      const nameOf = ({ verb, point, during = verb, place }: CrashAct) => `${place}-${during}-${point}`;
      const scenes: CrashScene[] = [];
      for (const one of all) {
        const [name, note] = [nameOf(one), one === dying ? crashNote : holdNote];
        const text = note(one.verb, one.point, name);
        scenes.push(await one.prepare(phoenix, { name, text, place: one.place }));
      }
      const requests: Promise<Answer>[] = [];
      for (const [at, { key, request }] of scenes.entries()) {
        const one = all[at]!;
        requests.push(request(await phoenix.client(key)));
        requests.at(-1)!.catch(() => {});
        const marker = join(phoenix.crashDir, nameOf(one));
        await until(`${one.during ?? one.verb} has come to ${one.point}`, patienceMs, () => existsSync(marker));
      }
      await phoenix.dies(requests);
      await timeStandsStill(phoenix.sql);
    });

    test.each(all.map((one): [string, CrashAct] => [titleOf(one), one]))('%s', (_title, one) => one.verify(phoenix));
  });
}

/** Waits for the death of the server, as the client of a request does. For work without a request. */
export async function lastWords(client: Client): Promise<Answer> {
  for (;;) {
    await client.get('/v1/customers');
    await sleep(50);
  }
}

/** Keeps rows from becoming due before their own test, however long the others take. */
async function timeStandsStill(sql: Connection): Promise<void> {
  await sql.query(`update attempts set deadline_at = now() + interval '1 hour' where state in ('open', 'unknown')`);
  for (const table of ['payments', 'disputes', 'setups'])
    await sql.query(`update ${table} set due_at = now() + interval '1 hour' where open_attempt is not null`);
  await sql.query(`update refunds set due_at = now() + interval '1 hour' where due_at is not null`);
}
