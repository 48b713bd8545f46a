import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../base/errors.ts';
import { after, type Timer } from '../base/timers.ts';
import type { Sheet } from './sheet.ts';
import type { RenderedSheet } from './worker.ts';

export type DocumentLimits = {
  /** Documents that wait, of all and of one owner. What is more is refused. */
  waitingMax: number;
  perOwnerMax: number;
  /** A document that takes longer, the start of the thread included, is given up: before the request is. */
  renderMs: number;
  /** The thread ends after this time without work, and its memory is free. */
  idleMs: number;
};

const usualLimits: DocumentLimits = { waitingMax: 100, perOwnerMax: 20, renderMs: 20_000, idleMs: 120_000 };

/** Of the thread, without buffers. A document of a thousand pages needs a tenth. */
const heapMegabytesMax = 512;

type WaitingSheet = { owner: number; sheet: Sheet; resolve: (bytes: Buffer) => void; reject: (error: Error) => void };

/**
 * Makes documents in a thread of its own, one at a time. The thread starts with the first document, so a server that makes none loads
 * neither pdfkit nor fonts. If it dies, the document that it was making fails, and the next one starts another thread.
 */
export class Documents {
  readonly #limits: DocumentLimits;
  readonly #waiting: WaitingSheet[] = [];
  #worker: Worker | undefined;
  #current: WaitingSheet | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(limits: Partial<DocumentLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /** The PDF of a sheet. `owner`: whose documents take turns with those of others. */
  render(owner: number, sheet: Sheet): Promise<Buffer> {
    const { waitingMax, perOwnerMax } = this.#limits;
    const own = this.#waiting.filter((wish) => wish.owner === owner).length;
    if (this.#isClosed) return Promise.reject(new Unavailable('the server is stopping'));
    if (this.#waiting.length >= waitingMax || own >= perOwnerMax)
      return Promise.reject(new Unavailable('too many documents are being made'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ owner, sheet, resolve, reject });
      this.#next();
    });
  }

  /** Whether there is a thread. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const stopped = new Unavailable('the server is stopping');
    for (const { reject } of this.#waiting.splice(0)) reject(stopped);
    await this.#end(stopped);
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const wish = this.#waiting.shift();
    if (wish === undefined) {
      this.#rest();
      return;
    }
    this.#current = wish;
    this.#timer?.cancel();
    const late = () => this.#end(new Unavailable('a document was not made in time'));
    this.#timer = after(this.#limits.renderMs, () => void late());
    this.#worker ??= this.#start();
    this.#worker.postMessage(wish.sheet);
  }

  #rest(): void {
    this.#timer?.cancel();
    if (this.#worker !== undefined) this.#timer = after(this.#limits.idleMs, () => void this.#end());
  }

  #start(): Worker {
    const file = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);
    // It needs nothing of the environment, which has secrets.
    const worker = new Worker(file, { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax } });
    worker.unref();
    worker.on('message', (answer: RenderedSheet) => this.#settle(worker, answer));
    worker.on('error', (error) => void this.#end(error, worker));
    worker.on('exit', (code) => void this.#end(new Error(`the thread of documents ended with ${code}`), worker));
    return worker;
  }

  #settle(worker: Worker, answer: RenderedSheet): void {
    const wish = this.#current;
    if (wish === undefined || worker !== this.#worker) return;
    this.#current = undefined;
    if ('bytes' in answer) wish.resolve(Buffer.from(answer.bytes));
    else wish.reject(new Error(answer.failure));
    this.#rotate(wish.owner);
    this.#next();
  }

  /** The owner whose document was made last comes after the others. */
  #rotate(owner: number): void {
    const [others, own] = [[], []] as [WaitingSheet[], WaitingSheet[]];
    for (const wish of this.#waiting) (wish.owner === owner ? own : others).push(wish);
    this.#waiting.splice(0, this.#waiting.length, ...others, ...own);
  }

  /** Ends the thread, and with it the document that it is making. */
  async #end(error?: Error, worker = this.#worker): Promise<void> {
    if (worker === undefined || worker !== this.#worker) return;
    const wish = this.#current;
    this.#timer?.cancel();
    this.#worker = undefined;
    this.#current = undefined;
    const ended = worker.terminate();
    wish?.reject(error ?? new Unavailable('the server is stopping'));
    if (!this.#isClosed) this.#next();
    await ended;
  }
}
