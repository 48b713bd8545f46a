import type { Write } from '../../../base/commit/index.ts';
import type { Connector, InquiryOutcome, KeptCard, Reply } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Attempt, AttemptFacts } from '../attempts/attempt.ts';
import { attemptFor, type Step } from '../attempts/perform.ts';
import type { Candidates } from './route.ts';

/** All processors together have this long, counted from the beginning of the request, or of the inquiry that passes the payment on. */
const routingMs = 25_000;
/** With less time left, another processor is not tried. */
const leastMs = 1_000;

/** What is asked of one processor after the other: a payment, or a setup. */
export type RoutedCall<Loaded> = {
  facts: Pick<AttemptFacts, 'payment' | 'setup' | 'verb' | 'amount'>;
  /** What the processor is asked for a page by. */
  page?(connector: Connector, now: number): Attempt['page'];
  load(attempt: Attempt): Loaded;
  call(connector: Connector, attempt: Attempt, now: number, kept?: KeptCard): Promise<Reply>;
  /** Where a remote processor keeps the card number that it is asked about. */
  keep?: KeepCard | undefined;
  begin(loaded: Loaded): Step<Loaded>['begin'];
  /** The same, after a processor has passed it on. */
  after(loaded: Loaded): RoutedCall<Loaded>;
};

/** Undefined: it does not keep the number. `notSent`: why it cannot be asked. The rows are committed with the attempt. */
export type KeepCard = (
  connector: Connector,
  attempt: Attempt,
) => Promise<{ kept: KeptCard; writes: Write[] } | { notSent: string } | undefined>;

/** The processors that were asked before, and when the last of them was. */
export type Earlier = { passedOver: readonly string[]; at: number };

/**
 * Asks the first of the processors. Where it provably does not act, or says that another may approve, the next one is asked. After an
 * unknown outcome no other is asked: the first one may have taken the money.
 */
export function routedStep<Loaded extends { attempt: Attempt }>(
  context: Pick<Context, 'tenant' | 'now' | 'connectors' | 'requestId'>,
  routed: RoutedCall<Loaded>,
  [candidate, ...others]: Candidates,
  earlier?: Earlier,
): Step<Loaded> {
  const { connector, reason } = candidate;
  const { clock } = context.connectors.limits;
  const latest = context.now + routingMs;
  // The ids of attempts begin with their time: later, so that they sort in the order in which they were made.
  const now = earlier === undefined ? context.now : Math.max(clock.now(), earlier.at + 1);
  const passed = earlier?.passedOver ?? [];
  const page = routed.page?.(connector, now) ?? null;
  const facts = { ...routed.facts, page, reason: reason && [reason, ...passed].join('; ') };
  const attempt = attemptFor({ ...context, now }, connector, facts, latest);
  const loaded = routed.load(attempt);
  return {
    loaded,
    connector,
    call: () => routed.call(connector, attempt, now),
    ...(routed.keep && { prepare: preparation(routed, routed.keep, connector, attempt, now) }),
    begin: routed.begin(loaded),
    async next(before, outcome) {
      const [second, ...rest] = others;
      if (second === undefined || latest - clock.now() < leastMs) return undefined;
      const passedOver = [...passed, whyPassedOver(connector, outcome)];
      return routedStep(context, routed.after(before), [second, ...rest], { passedOver, at: now });
    },
  };
}

function preparation<Loaded>(
  routed: RoutedCall<Loaded>,
  keep: KeepCard,
  connector: Connector,
  attempt: Attempt,
  now: number,
): NonNullable<Step<Loaded>['prepare']> {
  return async () => {
    const keeping = await keep(connector, attempt);
    if (keeping !== undefined && 'notSent' in keeping) {
      const outcome = { kind: 'not_sent', reason: keeping.notSent } as const;
      return { call: async () => ({ attempt: attempt.id, outcome, exchange: {} }), writes: [] };
    }
    return { call: () => routed.call(connector, attempt, now, keeping?.kept), writes: keeping?.writes ?? [] };
  };
}

export function whyPassedOver({ name, account }: Pick<Connector, 'name' | 'account'>, outcome: InquiryOutcome): string {
  return `${account ?? name} passed over: ${reasonOf(outcome)}`;
}

function reasonOf(outcome: InquiryOutcome): string {
  if (outcome.kind === 'declined') return outcome.declineCode ?? outcome.code;
  if (outcome.kind !== 'not_sent') return outcome.kind;
  // The code of a system error says the same in a way that only programmers read.
  return /^[A-Z_]+$/.test(outcome.reason) ? 'no connection' : outcome.reason;
}
