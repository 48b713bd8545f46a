import { firstIdAt, idTime } from '../../../base/id.ts';
import type { HealthSample, HealthSource } from '../processor_accounts/health.ts';
import { type Attempt, resultOf } from './attempt.ts';

type HealthRow = Pick<
  Attempt,
  'id' | 'processor_account' | 'verb' | 'state' | 'decline_code' | 'deadline_at' | 'finished_at'
> & { is_inquired: boolean };

/** The newest attempts, by their primary key: it costs the same, however many there are. */
export const healthOfAttempts: HealthSource = async (reads, tenant, { since, now, limit }) => {
  const rows = await reads.rows<HealthRow>(
    `select id, processor_account, verb, state, decline_code, deadline_at, finished_at, exchange -> 'inquiry' is not null as is_inquired
       from attempts where tenant = $1 and id >= $2 order by id desc limit $3`,
    [tenant, firstIdAt('att', since), limit],
  );
  const samples = rows.flatMap((row) => (row.processor_account === null ? [] : [sampleOf(row, now)]));
  return { samples, since: rows.length < limit ? since : idTime(rows.at(-1)!.id) };
};

const decided = {
  approved: 'approved',
  declined: 'declined',
  not_sent: 'not_sent',
  lost: 'not_sent',
} as const;

function sampleOf(row: HealthRow, now: number): HealthSample {
  const { id, processor_account, verb, state, deadline_at, finished_at, is_inquired } = row;
  const isAnswered = finished_at !== null && !is_inquired && state !== 'not_sent' && state !== 'lost';
  return {
    processor_account: processor_account!,
    authorization: verb === 'authorize' ? decided[resultOf(row) as keyof typeof decided] : undefined,
    isUnknown: state === 'unknown' || (state === 'open' && deadline_at.getTime() < now),
    // An outcome that was learned later, or by the cardholder, says nothing about how fast the processor answers.
    latencyMs: isAnswered ? finished_at.getTime() - idTime(id) : undefined,
  };
}
