import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Money } from '../../base/money.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import type { AttemptId, Notice, PageLine } from '../contract.ts';
import { challengeUnder } from './challenges.ts';
import { standingOf } from './ledger.ts';
import { type BankAnswer, type PayCard, type PayState, payment, payStateOf } from './pay_decision.ts';
import { asking, knownEntries, untilCommitted } from './store.ts';

/** What a page shows. */
export type PayView = {
  state: PayState;
  lines: readonly PageLine[];
  /** Undefined: a card is kept, and nothing is charged. */
  money: Money | undefined;
  /** Where the cardholder goes on to. */
  returnUrl: string | undefined;
};

export type PayPages = ReturnType<typeof createPayPages>;

/** The pages of the simulator on which cardholders choose a card and pay. */
export function createPayPages({ durable, clock }: { durable: SqlAt; clock: Clock }) {
  const ask = asking(durable);
  const find = async (token: string) => {
    const challenge = await challengeUnder(durable, token);
    if (challenge === undefined) return undefined;
    const { tenant, attempt } = challenge;
    const standing = async () => standingOf(attempt, await knownEntries(ask, tenant, attempt, attempt));
    return (await standing()).opening?.page ? { challenge, standing } : undefined;
  };
  const view = async (found: NonNullable<Awaited<ReturnType<typeof find>>>): Promise<PayView> => {
    const standing = await found.standing();
    const { amount, currency, return_url } = found.challenge;
    return {
      state: payStateOf(standing, clock.now()),
      lines: standing.opening!.page!.lines,
      money: currency === null ? undefined : { amount, currency },
      returnUrl: return_url ?? undefined,
    };
  };
  return {
    /** Undefined when there is no such page. */
    async show(token: string): Promise<PayView | undefined> {
      const found = await find(token);
      return found && view(found);
    },
    /** The first payment counts. `asks`: the bank wants an answer first. Otherwise the notice, which is the same each time. */
    async pay(token: string, card: PayCard, answer: BankAnswer): Promise<{ asks: PayView } | PaidPage | undefined> {
      const found = await find(token);
      if (found === undefined) return undefined;
      const { tenant, account, attempt: id, return_url } = found.challenge;
      const decided = await untilCommitted(durable, tenant, async () => {
        const entry = payment(await found.standing(), card, answer, clock.now());
        const entries = entry === undefined || entry === 'asks' ? [] : [entry];
        return { isAsked: entry === 'asks', rows: { entries, challenges: [], news: [] } };
      });
      assert(decided, `the payment of ${id} lost too many races`);
      if (decided.isAsked) return { asks: await view(found) };
      const attempt = id as AttemptId;
      const about = account === null ? { tenant } : { tenant, account };
      const notice: Notice = { id: `${id}/decision`, ...about, kind: 'attempt_changed', attempt };
      return { notice, returnUrl: return_url ?? undefined };
    },
  };
}

type PaidPage = { notice: Notice; returnUrl: string | undefined };
