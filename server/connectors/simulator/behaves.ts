import { exchangeOf, notSent } from './exchange.ts';
import type { Run } from './task.ts';

/**
 * What an account does with every request, so that routing can be tried. unreachable: no connection is made. busy: an authorization or
 * a setup is declined with the advice to try another processor. silent: it takes effect, and its answer is lost.
 */
export const accountBehaviours = ['normal', 'unreachable', 'busy', 'silent'] as const;
export type AccountBehaviour = (typeof accountBehaviours)[number];

/** The way to an account. What a busy one answers is decided with the request itself. */
export function reaching(behaves: AccountBehaviour, run: Run): Run {
  if (behaves === 'unreachable') return async (task) => notSent(task);
  if (behaves !== 'silent') return run;
  return async (task) => {
    const reply = await run(task);
    if (task.verb !== 'authorize' && task.verb !== 'setup') return reply;
    const outcome = { kind: 'unknown', reason: 'the reply was lost on its way' } as const;
    return {
      ...reply,
      outcome: outcome as typeof reply.outcome,
      exchange: exchangeOf(task.verb, task.request, undefined, outcome),
    };
  };
}
