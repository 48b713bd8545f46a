import { assert } from '../../base/errors.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import type { Tenant } from '../../base/reads.ts';
import type { AttemptId, ProcessorAccountId } from '../contract.ts';
import { byHandName, standingOf } from './ledger.ts';
import { newsOf } from './news.ts';
import { cancel, capture, refund } from './steps.ts';
import { asking, knownEntries, untilCommitted } from './store.ts';

/** Captures, refunds and cancels at the simulator itself, without the gateway. */
export type SimulatedMove = {
  tenant: Tenant;
  account: ProcessorAccountId | null;
  verb: 'capture' | 'refund' | 'cancel';
  authorization: AttemptId;
  /** Of a capture or a refund. */
  amount?: number;
  /** Epoch milliseconds. */
  now: number;
};

const steps = { capture, refund, cancel };

/** By the same rules as for the gateway, and reported to it. Returns the processor's own name for it. */
export async function moveByHand(durable: SqlAt, made: SimulatedMove): Promise<string> {
  const { tenant, account, verb, authorization: of, amount = 0, now } = made;
  const done = await untilCommitted(durable, tenant, async () => {
    const known = await knownEntries(asking(durable), tenant, of, of);
    const { next, opening } = standingOf(of, known);
    const money = { amount, currency: opening?.currency ?? '' };
    const authorization = { attempt: of, reference: undefined, payment: '', money, capture: false };
    const attempt = byHandName(of, next) as AttemptId;
    const { entries } = steps[verb]({ tenant, attempt, now, authorization, money }, known);
    const rows = entries.map((entry) => ({ ...entry, account }));
    const news = rows.map((entry) => newsOf('elsewhere', entry, entry.at));
    return { entry: rows.at(-1), rows: { entries: rows, challenges: [], news } };
  });
  const entry = done?.entry;
  assert(entry?.result === 'approved', `the simulator does not ${verb}: ${entry?.decline_code}`);
  return entry.reference;
}
