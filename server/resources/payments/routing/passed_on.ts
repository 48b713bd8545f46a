import { idTime } from '../../../base/id.ts';
import type { Attempt, ProcessorAnswer } from '../attempts/attempt.ts';
import { type Earlier, whyPassedOver } from './routed_step.ts';

/** The accounts that the attempts of a payment or a setup were made at. */
export function accountsAsked(attempts: readonly Attempt[]): string[] {
  return attempts.map(({ processor_account, connector }) => processor_account ?? connector);
}

/** The stored reason of the attempt says why the ones before it were passed over. */
export function earlierOf(attempt: Attempt, { outcome }: ProcessorAnswer, asked: readonly string[]): Earlier {
  const { id, connector: name, processor_account: account, reason } = attempt;
  const before = (reason ?? '').split('; ').filter((clause) => asked.some((one) => clause.startsWith(`${one} passed`)));
  const why = whyPassedOver({ name, ...(account === null ? {} : { account }) }, outcome);
  return { passedOver: [...before, why], at: idTime(id) };
}
