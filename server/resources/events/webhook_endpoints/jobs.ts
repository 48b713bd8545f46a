import { pause } from '../../../base/timers.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import {
  releaseRecovery,
  type StepOutcome,
  stepRecovery,
  type WebhookRecovery,
  webhookRecoveriesTable,
} from './recovery.ts';

const stepsMax = 20; // then it is another recovery's turn; also, a server that stops does not wait long
const restMs = 20; // between two steps, to let more urgent statements through

/** Sends endpoints the events that they have missed. One recovery at a time: it shares its connections with payments. */
export function recoverMissed(parts: Pick<Services, 'durable' | 'clock' | 'onDue'>): Job {
  const { durable, clock, onDue } = parts;
  let isBusy = false;
  const recover = async (recovery: WebhookRecovery) => {
    isBusy = true;
    try {
      if ((await steps(recovery)) === 'more')
        await durable.at(recovery.tenant, (sql) => releaseRecovery(sql, recovery));
    } finally {
      isBusy = false;
      onDue(clock.now()); // the rest of this recovery, and those that waited meanwhile
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
  const job = dueRows(parts, 'recoveries', webhookRecoveriesTable, recover);
  return { ...job, lease: async () => (isBusy ? [] : job.lease(1)) };
}
