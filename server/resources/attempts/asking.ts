import type { Write } from '../../base/commit/index.ts';
import { ask } from '../../connectors/ask.ts';
import type { Reply } from '../../connectors/contract.ts';
import type { Asking, Context, Outcome } from '../operation.ts';
import type { Attempt } from './attempt.ts';

/** Something that is about to go to a processor over the network. */
export type RemoteStep<Known> = {
  objectId: string;
  attempt: Attempt;
  /** Committed before it is asked. */
  writes: Write[];
  /** When a duty asks what became of it. */
  due: Date;
  call: () => Promise<Reply>;
  /** What is known when it is asked. */
  known: Known;
  reread: () => Promise<Known>;
  /** Whether the outcome of the attempt is still to be decided. */
  isOpen: (now: Known) => boolean;
  /** When it was settled without this answer. */
  answer: (now: Known) => Outcome;
  /** The context is of the moment of the answer: what is booked then was not booked when the request came. */
  settle: (now: Known, reply: Reply, context: Context) => Promise<Outcome> | Outcome;
};

/** Commits the attempt, asks with no transaction open, and commits the outcome. */
export function askRemotely<Known>(context: Context, step: RemoteStep<Known>): Asking {
  const { tenant, id, deadline_at } = step.attempt;
  return {
    objectId: step.objectId,
    resumeBy: id,
    writes: step.writes,
    due: step.due.getTime(),
    async ask() {
      const { limits } = context.connectors;
      const reply = await ask(limits, { tenant, attempt: id, deadline: deadline_at }, step.call);
      let fresh: Known | undefined = step.known;
      return async () => {
        // The first time with what was just committed; after a conflict, with what has become of it.
        const now = fresh ?? (await step.reread());
        fresh = undefined;
        if (step.isOpen(now)) return step.settle(now, reply, { ...context, now: limits.clock.now() });
        // Should this be an approval nobody counted on, it has to be given back.
        limits.onLate(tenant, id, reply.outcome);
        return step.answer(now);
      };
    },
  };
}
