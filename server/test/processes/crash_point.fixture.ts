import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { Committer } from '../../base/commit/committer.ts';
import type { Unit, Write } from '../../base/commit/index.ts';

/**
 * Test code that is loaded before the server (`node --import`), so that the server needs no hooks: it kills its own process at a
 * chosen point of a chosen request. The description of the payment, the metadata of the refund, dispute, setup, subscription, checkout
 * session or invoice, or the return_url of the setup, contains the note `crash <verb> <point> <name>`. Each name crashes once, which a file in
 * CRASH_DIR records. With `hold` instead of `crash` the request waits at that point, until another request crashes the process. The processor is the
 * simulator, or Stripe.
 */
export const crashPoints = [
  /** Nothing was written. */
  'before_claim',
  /** The first transaction is in flight; its reply will not be read. */
  'claim_in_flight',
  /** The attempt and the key are committed. */
  'claimed',
  /** The next statement would be the processor's first; of Stripe, the request that moves money has not been sent. */
  'before_call',
  /** The processor has the request and has not done it; of Stripe, the request is on its way, and may be done or not. */
  'sent_not_done',
  /** The processor has done it, and the gateway does not know. */
  'sent',
  /** The gateway has the answer and has not stored it. */
  'reply',
  /** The last transaction is in flight; its reply will not be read. */
  'outcome_in_flight',
  /** Everything is committed, and the client knows nothing. */
  'committed',
] as const;
export type CrashPoint = (typeof crashPoints)[number];
/** Those of a local processor, whose rows are committed with the gateway's. */
export const localPoints: readonly CrashPoint[] = ['before_claim', 'outcome_in_flight', 'committed'];
/** Points at which a request can wait without blocking others: it has no place in a batch. */
export const holdingPoints: readonly CrashPoint[] = crashPoints.filter(
  (point) => point !== 'claim_in_flight' && point !== 'outcome_in_flight',
);
/** Those of them that are within the call, for which the gateway waits a limited time. */
export const callPoints: readonly CrashPoint[] = ['before_call', 'sent_not_done', 'sent'];

export function crashNote(verb: string, point: CrashPoint, name: string): string {
  return `crash ${verb} ${point} ${name}`;
}

export function holdNote(verb: string, point: CrashPoint, name: string): string {
  return `hold ${verb} ${point} ${name}`;
}

type Wish = { word: 'crash' | 'hold'; verb: string; point: CrashPoint; name: string };

const dir = process.env.CRASH_DIR;
if (dir !== undefined) install(dir);

function install(crashDir: string): void {
  /** The payment whose call to the processor comes next; the tests crash one at a time, kill_many whichever it hits. */
  let calling: Wish | undefined;
  let committing: Wish | undefined;
  const takers = new WeakSet<object>();
  const replace = replacer();

  const isFirst = ({ name }: Wish): boolean => {
    const marker = join(crashDir, name);
    if (existsSync(marker)) return false;
    writeFileSync(marker, '');
    return true;
  };
  const die = (wish: Wish): void => {
    if (isFirst(wish)) process.kill(process.pid, 'SIGKILL');
  };
  const dieOrHold = async (wish: Wish): Promise<void> => {
    if (wish.word === 'crash') die(wish);
    else if (isFirst(wish)) await new Promise(() => {});
  };

  const { commit } = Committer.prototype;
  Committer.prototype.commit = async function (unit: Unit) {
    const wish = wishOf(unit);
    if (wish === undefined) return commit.call(this, unit);
    const { stage, point } = wish;
    if ((stage === 'first' || stage === 'only') && point === 'before_claim') await dieOrHold(wish);
    if (stage === 'last' && point === 'reply') await dieOrHold(wish);
    if (stage === 'first' && point === 'claim_in_flight') committing = wish;
    if (stage !== 'first' && point === 'outcome_in_flight') committing = wish;
    const verdict = await commit.call(this, unit);
    if (verdict === 'committed') {
      if (stage === 'first' && point === 'claimed') await dieOrHold(wish);
      if (stage !== 'first' && point === 'committed') await dieOrHold(wish);
      if (stage === 'first') calling = wish;
    }
    return verdict;
  };

  // biome-ignore lint/suspicious/noExplicitAny: the many shapes of this method are handed on as they are
  const { query } = pg.Client.prototype as any;
  // biome-ignore lint/suspicious/noExplicitAny: the many shapes of this method are handed on as they are
  (pg.Client.prototype as any).query = function (this: object, ...args: any[]) {
    const text: string = (typeof args[0] === 'string' ? args[0] : args[0]?.text) ?? '';
    if (calling !== undefined && text.includes('insert into simulator_entries')) takers.add(this);
    const isEffect = calling !== undefined && text === 'commit' && takers.has(this);
    const isStopped =
      (calling?.point === 'before_call' && text.includes('from simulator_faults')) ||
      (calling?.point === 'sent_not_done' && isEffect);
    if (isStopped) {
      const wish = calling!;
      calling = undefined;
      replace(this);
      return dieOrHold(wish).then(() => query.apply(this, args));
    }
    const running = query.apply(this, args);
    if (committing !== undefined && /\battempts\b/.test(text) && /^\s*with\b/i.test(text)) die(committing);
    if (!isEffect || calling?.point !== 'sent') return running;
    const wish = calling;
    calling = undefined;
    replace(this);
    return running.then((result: unknown) => dieOrHold(wish).then(() => result));
  };
  watchStripe((verb) => (calling?.word === 'crash' && calling.verb === verb ? calling : undefined), die);
}

/** A request that waits in its call keeps its connection to the simulator: the pool gets another one for the others. */
function replacer(): (connection: object) => void {
  const pools = new WeakMap<object, pg.Pool>();
  const { emit } = pg.Pool.prototype;
  pg.Pool.prototype.emit = function (this: pg.Pool, name: string, ...args: unknown[]) {
    if (name === 'acquire') pools.set(args[0] as object, this);
    return emit.call(this, name, ...args);
  } as typeof emit;
  return (connection) => {
    const pool = pools.get(connection);
    if (pool !== undefined) pool.options.max += 1;
  };
}

/** The requests to Stripe that move money, or set a card up. */
const stripeCalls: Readonly<Record<string, RegExp>> = {
  authorize: /^\/v1\/(?:payment_intents\/\w+\/confirm|checkout\/sessions)$/,
  capture: /^\/v1\/payment_intents\/\w+\/capture$/,
  cancel: /^\/v1\/(?:payment|setup)_intents\/\w+\/cancel$/,
  setup: /^\/v1\/setup_intents\/\w+\/confirm$/,
  refund: /^\/v1\/refunds$/,
};

function watchStripe(wishFor: (verb: string) => Wish | undefined, die: (wish: Wish) => void): void {
  const { dispatch } = Pool.prototype;
  Pool.prototype.dispatch = function (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    const isCalled = ([, path]: [string, RegExp]) => options.method === 'POST' && path.test(options.path);
    const wish = wishFor(Object.entries(stripeCalls).find(isCalled)?.[0] ?? '');
    if (wish === undefined) return dispatch.call(this, options, handler);
    if (wish.point === 'before_call') die(wish);
    if (wish.point === 'sent') dieWith(handler, 'onResponseStart', () => die(wish));
    // What was written by now leaves the machine even when its process is gone.
    if (wish.point === 'sent_not_done') dieWith(handler, 'onRequestStart', () => setImmediate(() => die(wish)));
    return dispatch.call(this, options, handler);
  };
}

function dieWith(
  handler: Dispatcher.DispatchHandler,
  moment: 'onRequestStart' | 'onResponseStart',
  die: () => void,
): void {
  const before = handler[moment] as (...args: unknown[]) => void;
  handler[moment] = (...args: unknown[]) => {
    before.apply(handler, args);
    die();
  };
}

/** The metadata of the subscription that a pending change makes. */
function planned(plan: unknown): unknown {
  return (plan as { subscription?: { metadata: unknown } } | undefined)?.subscription?.metadata;
}

/** In a URL, plus signs are its spaces. */
const noteIn = /\b(crash|hold)[ +](\w+)[ +](\w+)[ +]([\w-]+)/;

/** Which unit of the request this is: the only one (a local processor), the one before the call, or the one after it. */
function wishOf({ writes }: Unit): (Wish & { stage: 'only' | 'first' | 'last' }) | undefined {
  const attempts = writes.filter(({ table }) => table.name === 'attempts');
  if (attempts.length === 0) return undefined;
  const nouns = [
    'payments',
    'refunds',
    'disputes',
    'setups',
    'subscriptions',
    'pending_changes',
    'checkout_sessions',
    'invoices',
  ];
  const noted = writes.filter(({ table }) => nouns.includes(table.name));
  const textsOf = ({ description, metadata, plan, return_url }: Write['row']) =>
    JSON.stringify([description, metadata, planned(plan), return_url]);
  const notes = noted.map(({ row }) => textsOf(row)).join(' ');
  const [, word, verb, point, name] = noteIn.exec(notes) ?? [];
  if (word === undefined || verb === undefined || point === undefined || name === undefined) return undefined;
  const attempt = attempts.find(({ row }) => row.verb === verb);
  if (attempt === undefined) return undefined;
  const stage = attempt.kind === 'update' ? 'last' : attempt.row.state === 'open' ? 'first' : 'only';
  return { word: word as Wish['word'], verb, point: point as CrashPoint, name, stage };
}
