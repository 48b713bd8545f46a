import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Pool, query } from '../../base/sql.ts';
import { after, pause } from '../../base/timers.ts';
import type { InquiryOutcome, Reply, Verb } from '../contract.ts';
import { adviceOn } from './advice.ts';
import { broken, notSent, type Request } from './exchange.ts';
import type { Task } from './task.ts';

/** Faults between the gateway and a processor, scripted in `simulator_faults`. */
export type FaultKind =
  /** The answer is late. */
  | 'delay'
  /** Nothing happens, and the connection breaks. */
  | 'lose_request'
  /** It happens, and the connection breaks. */
  | 'lose_reply'
  /** It happens, and no answer ever comes. */
  | 'hang'
  /** Nothing happens, and no answer ever comes. */
  | 'hang_before'
  /** No answer ever comes, and it happens later. */
  | 'late_effect'
  /** It happens, and the answer names another attempt. */
  | 'wrong_attempt'
  /** It happens, and the answer is invalid. */
  | 'malformed'
  /** The request arrives twice, at the same moment. */
  | 'twice'
  /** Nothing happens, and the connection fails; whether the request was sent stays open. */
  | 'down'
  /** Nothing happens, and it is certain that nothing was sent. An inquiry only fails: nothing is certain about its attempt. */
  | 'not_sent'
  /** It happens, and the answer says the opposite. */
  | 'contradict';

type Fault = { kind: FaultKind; milliseconds: number };

/** One use of the oldest matching fault. Each is used exactly `remaining` times, however many calls race. */
export async function takeFault(pool: Pool, tenant: Tenant, verb: Verb | 'find'): Promise<Fault | undefined> {
  for (;;) {
    const [next] = await query<{ id: number }>(
      pool,
      `select id from simulator_faults
        where (tenant is null or tenant = $1) and (verb is null or verb = $2) and remaining > 0
        order by id limit 1`,
      [tenant, verb],
    );
    if (next === undefined) return undefined;
    const [fault] = await query<Fault>(
      pool,
      `update simulator_faults set remaining = remaining - 1
        where id = $1 and (tenant is null or tenant = $2) and remaining > 0
        returning kind, milliseconds`,
      [next.id, tenant],
    );
    if (fault !== undefined) return fault;
  }
}

/** Applies a fault to a call. `effect` is the call without the fault. */
export async function applyFault<Outcome extends InquiryOutcome>(
  fault: Fault | undefined,
  { clock, task }: { clock: Clock; task: Pick<Task<Outcome, Request>, 'verb' | 'request'> },
  effect: () => Promise<Reply<Outcome>>,
): Promise<Reply<Outcome>> {
  switch (fault?.kind) {
    case undefined:
      return effect();
    case 'delay': {
      const reply = await effect();
      await pause(fault.milliseconds);
      return reply;
    }
    case 'lose_request':
      throw broken('ECONNRESET', 'read ECONNRESET');
    case 'lose_reply':
      await effect();
      throw broken('ECONNRESET', 'read ECONNRESET');
    case 'down':
      throw broken('ECONNREFUSED', 'connect ECONNREFUSED');
    case 'not_sent':
      return notSent(task);
    case 'contradict':
      return contradicted(await effect());
    case 'hang':
      await effect();
      return never();
    case 'hang_before':
      return never();
    case 'late_effect':
      // No caller is waiting, so a failure of the late effect is ignored.
      after(fault.milliseconds, () => void effect().catch(() => {}));
      return never();
    case 'wrong_attempt':
      return { ...(await effect()), attempt: newId('att', clock.now()) };
    case 'malformed':
      return { ...(await effect()), outcome: { kind: 'perhaps' } as never };
    case 'twice':
      return (await Promise.all([effect(), effect()]))[1];
  }
}

function contradicted<Outcome extends InquiryOutcome>(reply: Reply<Outcome>): Reply<Outcome> {
  const opposite: InquiryOutcome =
    reply.outcome.kind === 'approved'
      ? { kind: 'declined', code: 'card_declined', declineCode: 'generic_decline', advice: adviceOn('generic_decline') }
      : { kind: 'approved' };
  return { ...reply, outcome: opposite as Outcome };
}

/** A promise without a timer: it is collected once the caller's deadline has passed. */
function never(): Promise<never> {
  return new Promise(() => {});
}
