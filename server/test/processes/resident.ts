import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type Finished, patienceMs } from './child.ts';
import type { Done, Order } from './resident.fixture.ts';

/** The compile cache of `tollgate`, for programs that load some of its sources earlier. */
export const compileCache = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'tollgate');

/** A process that runs one command after the other, until the process of the tests ends. */
export class Resident {
  static #shared: Resident | undefined;

  readonly #process: ChildProcess;
  #last: Promise<unknown> = Promise.resolve();

  private constructor() {
    const fixture = join(import.meta.dirname, 'resident.fixture.ts');
    this.#process = fork(fixture, { env: { NODE_COMPILE_CACHE: compileCache }, execArgv: [] });
    this.#process.unref();
    this.#process.channel!.unref();
  }

  /** The one that all test files of this process use: its start takes as long as that of a command. */
  static get shared(): Resident {
    if (Resident.#shared === undefined || Resident.#shared.isGone) Resident.#shared = new Resident();
    return Resident.#shared;
  }

  /** One at a time, in the order in which they are given. */
  run(order: Order): Promise<Finished> {
    const done = this.#last.then(() => this.#run(order));
    this.#last = done.catch(() => {});
    return done;
  }

  #run(order: Order): Promise<Finished> {
    const resident = this.#process;
    return new Promise((resolve, reject) => {
      const over = () => {
        clearTimeout(timer);
        resident.off('message', answered).off('exit', gone);
      };
      const answered = (done: Done) => {
        over();
        resolve({ ...done, signal: null });
      };
      const gone = () => {
        over();
        reject(new Error(`tollgate ${order.args.join(' ')} did not end, or ended the process that did its work`));
      };
      const timer = setTimeout(() => resident.kill('SIGKILL'), patienceMs);
      resident.on('message', answered).on('exit', gone);
      resident.send(order);
    });
  }

  get isGone(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }
}
