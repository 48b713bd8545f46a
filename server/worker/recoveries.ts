import type { Clock } from '../base/clock.ts';
import type { Pool } from '../base/sql.ts';
import { pause } from '../base/timers.ts';
import { type Duty, dueRows } from '../resources/duty.ts';
import {
  releaseRecovery,
  type StepOutcome,
  stepRecovery,
  type WebhookRecovery,
  webhookRecoveriesTable,
} from '../resources/webhook_endpoints/recovery.ts';

const stepsMax = 20; // then it is another's turn, and a server that stops has not long to wait
const restMs = 20; // between two steps, for what is more urgent

/** Sends endpoints again what they have missed. One at a time: it shares its connections with what payments wait for. */
export function recoverMissed(parts: { durable: Pool; clock: Clock; onDue: (moment: number) => void }): Duty {
  const { durable, clock, onDue } = parts;
  let isBusy = false;
  const recover = async (recovery: WebhookRecovery) => {
    isBusy = true;
    try {
      if ((await steps(recovery)) === 'more') await releaseRecovery(durable, recovery);
    } finally {
      isBusy = false;
      onDue(clock.now()); // for the rest of it, and for what waited meanwhile
    }
  };
  const steps = async (recovery: WebhookRecovery): Promise<StepOutcome> => {
    for (let step = 1; ; step++) {
      const outcome = await stepRecovery(durable, recovery);
      if (outcome !== 'more' || step === stepsMax) return outcome;
      onDue(clock.now()); // deliveries are due
      await pause(restMs);
    }
  };
  const kind = dueRows(parts, 'recoveries', webhookRecoveriesTable, recover);
  return { ...kind, lease: async () => (isBusy ? [] : kind.lease(1)) };
}
