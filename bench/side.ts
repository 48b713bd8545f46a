import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import type { Connection } from '../server/base/sql.ts';
import { pause } from '../server/base/timers.ts';
import { createPaymentMethods, createPayments, fillPayments, openDatabase } from './fill.ts';
import type { Kind, Workload } from './load.ts';
import { type Bench, type GatewayOptions, startGateway, thisCheckout } from './processes.ts';

const methodCount = 500;
const vacuumLookMs = 1_000;
const vacuumLooksMax = 120;

/** A gateway that is measured: this version, or the one it is compared with. */
export class Side {
  readonly name: string;
  readonly #options: GatewayOptions;
  readonly #dataDir: string;
  gateway!: Bench;
  #sql!: Connection;

  private constructor(name: string, options: GatewayOptions, dataDir: string) {
    this.name = name;
    this.#options = options;
    this.#dataDir = dataDir;
  }

  static async open(name: string, options: GatewayOptions, dataDir: string): Promise<Side> {
    const side = new Side(name, options, dataDir);
    mkdirSync(dataDir, { recursive: true });
    side.gateway = await startGateway(dataDir, options);
    side.#sql = await openDatabase(dataDir);
    return side;
  }

  /** Requests of each kind, in a new account that has so many payments of the past. */
  async workloads(stored = 0): Promise<Record<Kind, Workload>> {
    const { id, key } = await this.gateway.account();
    const { port } = this.gateway;
    if (stored > 0) await fillPayments(this.#sql, id, stored);
    await this.#vacuumed();
    const methods = await createPaymentMethods(this.#dataDir, port, key, methodCount);
    const payments = await createPayments(this.#dataDir, port, key, methods);
    return {
      payments: { kind: 'payments', port, key, ids: methods },
      customers: { kind: 'customers', port, key },
      retrieve: { kind: 'retrieve', port, key, ids: payments },
      list: { kind: 'list', port, key },
      sessions: { kind: 'sessions', port, key },
    };
  }

  /** What autovacuum does about the rows of the past is not a cost of the requests that follow. */
  async #vacuumed(): Promise<void> {
    const busy = `select 1 from pg_stat_activity where backend_type = 'autovacuum worker'`;
    for (let looks = 0; looks < vacuumLooksMax; looks++) {
      if ((await this.#sql.query(busy)).rowCount === 0) return;
      await pause(vacuumLookMs);
    }
  }

  /** So that one turn does not pay for what another has written. */
  async checkpoint(): Promise<void> {
    await this.#sql.query('checkpoint');
  }

  /** Stops and starts on the same data; returns the seconds from the start of the process to its first answer. */
  async restart(): Promise<number> {
    await this.close();
    const began = performance.now();
    this.gateway = await startGateway(this.#dataDir, this.#options);
    await this.#answers();
    const seconds = (performance.now() - began) / 1_000;
    this.#sql = await openDatabase(this.#dataDir);
    return seconds;
  }

  #answers(): Promise<void> {
    const ca = readFileSync(join(this.#dataDir, 'tls', 'ca.pem'));
    return new Promise((resolve, reject) => {
      get({ port: this.gateway.port, host: 'localhost', path: '/healthz', ca, agent: false }, (answer) => {
        answer.resume().on('end', resolve);
      }).on('error', reject);
    });
  }

  async close(): Promise<void> {
    await this.#sql.end();
    await this.gateway.stop();
  }
}

/** Another version of the source, in a folder beside the data, with the packages that are installed here. */
export function checkOut(commit: string, folder: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: thisCheckout, encoding: 'utf8' }).trim();
  git('worktree', 'add', '--quiet', '--detach', folder, git('rev-parse', `${commit}^{commit}`));
  for (const path of ['node_modules', 'server/node_modules', 'sdk/node_modules', 'dashboard/node_modules'])
    if (existsSync(join(thisCheckout, path))) symlinkSync(join(thisCheckout, path), join(folder, path));
  return folder;
}

export function removeCheckOut(folder: string): void {
  execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: thisCheckout, stdio: 'ignore' });
}
