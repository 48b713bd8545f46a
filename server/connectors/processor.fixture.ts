import { type Clock, systemClock } from '../base/clock.ts';
import { Committer } from '../base/commit/index.ts';
import { newId } from '../base/id.ts';
import { Reads, type Tenant } from '../base/reads.ts';
import { Secret } from '../base/secret.ts';
import { type Connection, connect, openPool } from '../base/sql.ts';
import { createDatabase } from '../test/harness.ts';
import type {
  AttemptId,
  Authorization,
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  CardDetails,
  ConcedeRequest,
  Connector,
  ContestRequest,
  FindRequest,
  Instrument,
  Notice,
  RefundRequest,
  Reply,
  StatementLine,
} from './contract.ts';
import { type Connectors, createConnectors, defaultConnectors, registrations } from './index.ts';
import { type Challenges, createChallenges } from './simulator/challenges.ts';

export const publicUrl = 'https://gateway.test';
/** Longer than any real code, so that no id contains it by chance. */
export const cvc = '73918264550';

export function cardOf(number: string, more: Partial<CardDetails> = {}): Instrument {
  return {
    kind: 'card',
    number: new Secret(number),
    cvc: new Secret(cvc),
    expMonth: 12,
    expYear: 2040,
    holder: {},
    ...more,
  };
}

/** An authorization by a cardholder who is present, for one payment. */
export const plainCharge = {
  initiator: 'cardholder',
  storedCredential: 'none',
  networkTransactionId: undefined,
  returnUrl: `${publicUrl}/return/token`,
} as const;

/** The authorization of 10 euros that later verbs are about. */
export function authorizationAt(attempt: AttemptId): Authorization {
  const money = { amount: 1_000, currency: 'eur' };
  return { attempt, reference: undefined, payment: 'pay_1', money, capture: true };
}

export const newAttempt = (): AttemptId => newId('att', Date.now());

/** The row of the view `simulator.charges`. */
export type Charge = {
  attempt: string;
  authorized: number;
  captured: number;
  refunded: number;
  disputed: number;
  canceled: boolean;
  net: number;
};

export type Processor = {
  connectors: Connectors;
  /** The simulator's own. */
  challenges: Challenges;
  connector: Connector;
  sql: Connection;
  /** A tenant that nobody else uses. */
  tenant: Tenant;
  authorize(request?: Partial<AuthorizeRequest> & { number?: string }): Promise<Reply & { verdict: string }>;
  capture(request: Partial<CaptureRequest> & { of: AttemptId; amount?: number }): Promise<Reply>;
  cancel(request: Partial<CancelRequest> & { of: AttemptId }): Promise<Reply>;
  refund(request: Partial<RefundRequest> & { of: AttemptId; amount?: number }): Promise<Reply>;
  contest(request: Partial<ContestRequest> & { dispute: string }): Promise<Reply>;
  concede(request: Partial<ConcedeRequest> & { dispute: string }): Promise<Reply>;
  /** The notices of this tenant, from one of the servers. */
  notices(): Promise<Notice[]>;
  acknowledge(notices: readonly Notice[]): Promise<void>;
  /** The lines of this tenant. */
  statement(range?: { from?: Date; to?: Date }): Promise<StatementLine[]>;
  find(attempt: AttemptId, verb?: FindRequest['verb']): ReturnType<Connector['find']>;
  charges(): Promise<Charge[]>;
  entries(): Promise<Record<string, unknown>[]>;
  /** Past and future news, reported or not. */
  news(): Promise<Record<string, unknown>[]>;
};

/** An inquiry that knows nothing but the attempt. */
const unnamed = { reference: undefined, authorization: undefined, dispute: undefined };

export type World = { processor(mode?: 'test' | 'live'): Processor; stop(): Promise<void> };

const conflictsMax = 30;
const noticesMax = 1_000;
const ready = { 'simulator, local': 'local', 'simulator, remote': 'remote', none: 'local' } as const;
export type ConnectorName = keyof typeof ready;
export const connectorNames = Object.keys(ready) as ConnectorName[];

/** A processor with a database, used as the gateway uses it: the writes of a reply are committed, and a conflict leads to a retry. */
export async function openWorld(name: ConnectorName, clock: Clock = systemClock): Promise<World> {
  const database = await createDatabase();
  const sql = await connect(database.address, 'test');
  const pool = openPool(database.address, { use: 'durable', connectionsMax: 4, onError: () => {} });
  const committer = new Committer(database.address);
  const create = () =>
    createConnectors({
      registrations,
      settings: { simulator: { place: ready[name] } },
      modes: defaultConnectors,
      tools: { pool, reads: new Reads(pool), clock, publicUrl: () => publicUrl },
      report: async () => {},
      openAccount: () => Promise.reject(new Error('there are no processor accounts')),
      limits: { clock, deadlineMs: 15_000, onLate: () => {} },
    });
  const connectors = create();
  const mode = name === 'none' ? 'live' : 'test';
  const connector = connectors.forMode(mode);
  // Two servers take turns, so that racing verbs meet in the database and not earlier.
  const servers = [connector, create().forMode(mode)] as const;
  let asks = 0;
  const either = () => servers[asks++ % 2]!;
  let tenants = 0;

  async function settle<R extends Reply<unknown>>(ask: () => Promise<R>): Promise<R & { verdict: string }> {
    for (let tries = 1; ; tries++) {
      const reply = await ask();
      const writes = reply.writes ?? [];
      const verdict = writes.length === 0 ? 'committed' : await committer.commit({ writes });
      if (verdict === 'committed' || tries === conflictsMax) return { ...reply, verdict };
    }
  }

  function processor(): Processor {
    const tenant = ++tenants as Tenant;
    const asked = () => ({ tenant, attempt: newAttempt(), now: clock.now() });
    const money = (amount = 1_000) => ({ amount, currency: 'eur' });
    const about = (of: AttemptId) => ({ authorization: authorizationAt(of) });
    const rows = async <T>(text: string) => (await sql.query(text, [tenant])).rows as T[];
    return {
      connectors,
      challenges: createChallenges({ pool, clock }),
      connector,
      sql,
      tenant,
      async authorize({ number = '4242424242424242', ...more } = {}) {
        const reply = await either().authorize({
          ...asked(),
          payment: 'pay_1',
          money: money(),
          capture: true,
          ...plainCharge,
          instrument: cardOf(number),
          ...more,
        });
        const writes = reply.writes ?? [];
        return { ...reply, verdict: writes.length === 0 ? 'committed' : await committer.commit({ writes }) };
      },
      capture: ({ of, amount, ...more }) =>
        settle(() => either().capture!({ ...about(of), money: money(amount), ...asked(), ...more })),
      cancel: ({ of, ...more }) => settle(() => either().cancel!({ ...about(of), ...asked(), ...more })),
      refund: ({ of, amount, ...more }) =>
        settle(() => either().refund!({ ...about(of), money: money(amount), ...asked(), ...more })),
      contest: (request) => settle(() => either().contest!({ evidence: {}, ...asked(), ...request })),
      concede: (request) => settle(() => either().concede!({ ...asked(), ...request })),
      async notices() {
        const all = await either().notices!({ now: clock.now(), limit: noticesMax });
        return all.filter((notice) => notice.tenant === tenant);
      },
      acknowledge: (notices) => either().acknowledge!(notices, clock.now()),
      async statement({ from = new Date(0), to = new Date(clock.now() + 1) } = {}) {
        const lines: StatementLine[] = [];
        for await (const page of either().statement!({ from, to })) lines.push(...page);
        return lines.filter((line) => line.tenant === tenant);
      },
      find: (attempt, verb = 'authorize') => settle(() => either().find({ ...asked(), attempt, verb, ...unnamed })),
      charges: () => rows<Charge>('select * from simulator.charges where tenant = $1 order by attempt'),
      entries: () => rows('select * from simulator.entries where tenant = $1 order by attempt'),
      news: () => rows('select * from simulator.news where tenant = $1 order by at, id'),
    };
  }

  return {
    processor,
    async stop() {
      await committer.close();
      await pool.end();
      await sql.end();
      await database.drop();
    },
  };
}
