import { type Clock, systemClock } from '../base/clock.ts';
import { Committer } from '../base/commit/index.ts';
import { assert } from '../base/errors.ts';
import { newId } from '../base/id.ts';
import { onePool } from '../base/places/sql_at.ts';
import { Reads, type Tenant } from '../base/reads.ts';
import { Secret } from '../base/secret.ts';
import { type Connection, connect, openPool } from '../base/sql.ts';
import { createDatabase } from '../test/harness.ts';
import type {
  AttemptId,
  Authorization,
  AuthorizeRequest,
  CancelRequest,
  CancelSetupRequest,
  CaptureRequest,
  ConcedeRequest,
  Connector,
  ContestRequest,
  FindRequest,
  InboundRequest,
  InquiryOutcome,
  Instrument,
  Notice,
  ProcessorAccountId,
  RefundRequest,
  Reply,
  SetupAttempt,
  SetupRequest,
  StatementLine,
  Verb,
} from './contract.ts';
import { type Connectors, createConnectors, defaultConnectors, type NoticeSource, registrations } from './index.ts';
import type { OpenAccount } from './registration.ts';
import { moveByHand } from './simulator/by_hand.ts';
import { type Challenges, createChallenges } from './simulator/challenges.ts';
import { signature, signatureHeader } from './simulator/inbound.ts';
import type { BankAnswer, PayCard } from './simulator/pay_decision.ts';
import { createPayPages } from './simulator/pay_pages.ts';

export const publicUrl = 'https://gateway.test';
/** Longer than any real code, so that no id contains it by chance. */
export const cvc = '73918264550';

export function cardOf(number: string, more: Partial<Instrument<'card'>> = {}): Instrument {
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

/** A page of the processor that lives for an hour. */
export function pageOf(more: Partial<Instrument<'page'>> = {}): Instrument<'page'> {
  const lines = [{ name: 'A cup of tea', quantity: 2, amount: 1_000 }];
  const terms = { locale: 'en', lines, email: 'ada@example.com', expiresAt: Date.now() + 3_600_000, save: false };
  return { kind: 'page', ...terms, holder: {}, ...more };
}

export function tokenOf(token: string, customer?: string): Instrument {
  return { kind: 'token', token: new Secret(token), customer, holder: {} };
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

/** The setup that a cancel or an inquiry is about. */
export function setupAt(attempt: AttemptId): SetupAttempt {
  return { attempt, reference: undefined, setup: 'set_1' };
}

export const newAttempt = (): AttemptId => newId('att', Date.now());

/** The row of the view `simulator_charges`. */
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
  /** The cardholder pays on a page of the processor, by the name of a test card. */
  payOn(url: string, card?: PayCard, answer?: BankAnswer): Promise<void>;
  connector: Connector;
  /** Whether an attempt that was refused leaves no trace at the processor. */
  forgetsRefusals: boolean;
  /** Another account at the same processor, of the same tenant. */
  another(settings?: OpenAccount['settings']): Processor;
  sql: Connection;
  /** A tenant that nobody else uses. */
  tenant: Tenant;
  authorize(request?: Partial<AuthorizeRequest> & { number?: string }): Promise<Reply & { verdict: string }>;
  capture(request: Partial<CaptureRequest> & { of: AttemptId; amount?: number }): Promise<Reply>;
  cancel(request: Partial<CancelRequest> & { of: AttemptId }): Promise<Reply>;
  refund(request: Partial<RefundRequest> & { of: AttemptId; amount?: number }): Promise<Reply>;
  contest(request: Partial<ContestRequest> & { dispute: string }): Promise<Reply>;
  concede(request: Partial<ConcedeRequest> & { dispute: string }): Promise<Reply>;
  setup(request?: Partial<SetupRequest> & { number?: string }): Promise<Reply>;
  cancelSetup(request: Partial<CancelSetupRequest> & { of: AttemptId }): Promise<Reply>;
  /** Somebody does it at the processor, without the gateway. Returns the processor's own name for it. */
  byHand(verb: 'capture' | 'refund' | 'cancel', of: AttemptId, amount?: number): Promise<string>;
  /** What the processor reports that was done without the gateway, or may have been. */
  elsewhere(): Promise<Notice[]>;
  /** The notices of this tenant, from one of the servers. */
  notices(): Promise<Notice[]>;
  acknowledge(notices: readonly Notice[]): Promise<void>;
  /** The request by which the processor reports that something happened to an attempt. */
  signed(attempt: string, more?: { id?: string; secret?: string; now?: number }): InboundRequest;
  /** What goes wrong with the next call of a verb. Only behind a network. */
  fault(kind: 'not_sent' | 'lose_reply' | 'contradict', verb: Verb | 'find'): Promise<void>;
  /** What the connector has reported without having been asked. */
  reported(): { notice: Notice; source: NoticeSource }[];
  /** The lines of this tenant. */
  statement(range?: { from?: Date; to?: Date }): Promise<StatementLine[]>;
  find(
    attempt: AttemptId,
    verb?: FindRequest['verb'],
    about?: Partial<Pick<FindRequest, 'reference' | 'authorization' | 'setup'>>,
  ): ReturnType<Connector['find']>;
  charges(): Promise<Charge[]>;
  entries(): Promise<Record<string, unknown>[]>;
  /** Past and future news, reported or not. */
  news(): Promise<Record<string, unknown>[]>;
};

/** An inquiry that knows nothing but the attempt. */
const unnamed = { reference: undefined, authorization: undefined, dispute: undefined };

export type World = { processor(): Processor; stop(): Promise<void> };

/** The part that the contract test needs: of every processor, not of the simulator alone. */
export type TestedProcessor = Omit<
  Processor,
  'challenges' | 'another' | 'sql' | 'signed' | 'fault' | 'reported' | 'news'
>;
export type TestedWorld = { processor(): TestedProcessor; stop(): Promise<void> };

export function isElsewhere({ kind }: Notice): boolean {
  return kind === 'captured_elsewhere' || kind === 'refunded_elsewhere' || kind === 'canceled_elsewhere';
}

const conflictsMax = 30;
const noticesMax = 1_000;
const webhookSecret = 'whsec_of_the_tests';

/** `account`: the settings of an account at the processor, through which everything is done. */
type Ready = { place: 'local' | 'remote'; account?: OpenAccount['settings'] };
const ready = {
  'simulator, local': { place: 'local' },
  'simulator, remote': { place: 'remote' },
  'simulator, account': { place: 'local', account: { place: 'remote' } },
  none: { place: 'local' },
} as const satisfies Record<string, Ready>;
export type ConnectorName = keyof typeof ready;
export const connectorNames = Object.keys(ready) as ConnectorName[];

/** A decline says what to do about it, whatever was declined. */
function advised<R extends Reply<InquiryOutcome>>(reply: R): R {
  const { outcome } = reply;
  if (outcome.kind === 'declined') assert(outcome.advice, `there is no advice with ${JSON.stringify(outcome)}`);
  return reply;
}

/** A processor with a database, used as the gateway uses it: the writes of a reply are committed, and a conflict leads to a retry. */
export async function openWorld(name: ConnectorName, clock: Clock = systemClock): Promise<World> {
  const database = await createDatabase();
  const sql = await connect(database.address, 'test');
  const pool = openPool(database.address, { use: 'durable', connectionsMax: 4, onError: () => {} });
  const durable = onePool(pool);
  const committer = new Committer(database.address);
  const { place, account: settings }: Ready = ready[name];
  const reports: { notice: Notice; source: NoticeSource }[] = [];
  const accounts = new Map<ProcessorAccountId, OpenAccount>();
  const create = () =>
    createConnectors({
      registrations,
      settings: { simulator: { place } },
      modes: defaultConnectors,
      tools: { durable, reads: new Reads(pool), clock, publicUrl: () => publicUrl },
      report: async (notice, source) => void reports.push({ notice, source }),
      openAccount: async (_, id) => accounts.get(id)!,
      limits: { clock, deadlineMs: 15_000, onLate: () => {} },
    });
  const connectors = create();
  const mode = name === 'none' ? 'live' : 'test';
  // Two servers take turns, so that racing verbs meet in the database and not earlier.
  const servers = [connectors, create()] as const;
  let asks = 0;
  let tenants = 0;

  function newAccount(tenant: Tenant, settings: OpenAccount['settings']): OpenAccount {
    const id = newId('pa', Date.now());
    const account = { id, tenant, mode, credentials: { webhook_secret: new Secret(webhookSecret) }, settings } as const;
    accounts.set(id, account);
    return account;
  }

  async function settle<R extends Reply<InquiryOutcome>>(ask: () => Promise<R>): Promise<R & { verdict: string }> {
    for (let tries = 1; ; tries++) {
      const reply = advised(await ask());
      const writes = reply.writes ?? [];
      const verdict =
        writes.length === 0 ? 'committed' : await committer.commit({ tenant: writes[0]!.row.tenant as Tenant, writes });
      if (verdict === 'committed' || tries === conflictsMax) return { ...reply, verdict };
    }
  }

  function processor(tenant: Tenant, account: OpenAccount | undefined): Processor {
    const through = (server: Connectors) =>
      account === undefined ? server.forMode(mode) : server.open('simulator', account);
    const server = () => servers[asks++ % 2]!;
    const either = () => through(server());
    const asked = () => ({ tenant, attempt: newAttempt(), now: clock.now() });
    const money = (amount = 1_000) => ({ amount, currency: 'eur' });
    const about = (of: AttemptId) => ({ authorization: authorizationAt(of) });
    const rows = async <T>(text: string) => (await sql.query(text, [tenant])).rows as T[];
    return {
      connectors,
      challenges: createChallenges({ durable, clock }),
      async payOn(url, card = 'visa', answer) {
        await createPayPages({ durable, clock }).pay(url.slice(url.lastIndexOf('/') + 1), card, answer);
      },
      connector: through(connectors),
      forgetsRefusals: false,
      another: (other = {}) => processor(tenant, newAccount(tenant, other)),
      sql,
      tenant,
      async authorize({ number = '4242424242424242', ...more } = {}) {
        const charge = { payment: 'pay_1', money: money(), capture: true, ...plainCharge, instrument: cardOf(number) };
        const reply = advised(await either().authorize({ ...asked(), ...charge, ...more }));
        const writes = reply.writes ?? [];
        return { ...reply, verdict: writes.length === 0 ? 'committed' : await committer.commit({ tenant, writes }) };
      },
      capture: ({ of, amount, ...more }) =>
        settle(() => either().capture!({ ...about(of), money: money(amount), ...asked(), ...more })),
      cancel: ({ of, ...more }) => settle(() => either().cancel!({ ...about(of), ...asked(), ...more })),
      refund: ({ of, amount, ...more }) =>
        settle(() => either().refund!({ ...about(of), money: money(amount), ...asked(), ...more })),
      contest: (request) => settle(() => either().contest!({ evidence: {}, ...asked(), ...request })),
      concede: (request) => settle(() => either().concede!({ ...asked(), ...request })),
      setup: ({ number = '4242424242424242', ...more } = {}) => {
        const facts = { setup: 'set_1', instrument: cardOf(number), returnUrl: plainCharge.returnUrl };
        const request = { ...asked(), ...facts, ...more };
        return settle(() => either().setup!(request));
      },
      cancelSetup: ({ of, ...more }) =>
        settle(() => either().cancelSetup!({ setup: setupAt(of), ...asked(), ...more })),
      async notices() {
        const all = await server().forMode(mode).notices!({ now: clock.now(), limit: noticesMax });
        return all.filter((notice) => notice.tenant === tenant && notice.account === account?.id);
      },
      acknowledge: (notices) => server().forMode(mode).acknowledge!(notices, clock.now()),
      signed(attempt, { id = `evt ${attempt}`, secret = webhookSecret, now = clock.now() } = {}) {
        const body = Buffer.from(JSON.stringify({ id, attempt }));
        return { headers: { [signatureHeader]: signature(new Secret(secret), body, now) }, body };
      },
      async fault(kind, verb) {
        const text = 'insert into simulator_faults (tenant, kind, verb) values ($1, $2, $3)';
        await sql.query(text, [tenant, kind, verb]);
      },
      reported: () => reports.filter(({ notice }) => notice.tenant === tenant),
      async statement({ from = new Date(0), to = new Date(clock.now() + 1) } = {}) {
        const lines: StatementLine[] = [];
        for await (const page of either().statement!({ from, to })) lines.push(...page);
        return lines.filter((line) => line.tenant === tenant);
      },
      byHand: (verb, authorization, amount = 1_000) =>
        moveByHand(durable, { ...asked(), account: account?.id ?? null, verb, authorization, amount }),
      async elsewhere() {
        return (await this.notices()).filter(isElsewhere);
      },
      find: (attempt, verb = 'authorize', about = {}) =>
        settle(() => either().find({ ...asked(), attempt, verb, ...unnamed, ...about })),
      charges: () => rows<Charge>('select * from simulator_charges where tenant = $1 order by attempt'),
      entries: () => rows('select * from simulator_entries where tenant = $1 order by attempt'),
      news: () => rows('select * from simulator_news where tenant = $1 order by at, id'),
    };
  }

  return {
    processor() {
      const tenant = ++tenants as Tenant;
      return processor(tenant, settings && newAccount(tenant, settings));
    },
    async stop() {
      await committer.close();
      await pool.end();
      await sql.end();
      await database.drop();
    },
  };
}
