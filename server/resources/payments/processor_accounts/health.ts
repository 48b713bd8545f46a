import { rateOf } from '../../../base/rate.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import { MaybeWhole, Moment, ObjectKind, Text, Whole } from '../../../operations/schemas.ts';

/** A request to a processor account, as far as its health goes. */
export type HealthSample = {
  processor_account: string;
  /** Whether it is an authorization, by which the success rate goes; undefined while it is not decided. */
  authorization: 'approved' | 'declined' | 'not_sent' | undefined;
  isUnknown: boolean;
  /** How long the processor took to answer the request itself. */
  latencyMs: number | undefined;
};

/** The requests since a time, the newest first: at most `limit`. `since` is later if there were more. */
export type HealthSource = (
  reads: Reads,
  tenant: Tenant,
  range: { since: number; now: number; limit: number },
) => Promise<{ samples: HealthSample[]; since: number }>;

export const healthSources = extensionPoint<HealthSource>('requests to processor accounts');

const windowMs = 24 * 3_600_000;
const samplesMax = 10_000;

const Health = Type.Object(
  {
    processor_account: Text('The id of the processor account.'),
    requests: Whole('How often it was asked for anything.'),
    approved: Whole('Authorizations that it has approved.'),
    declined: Whole('Authorizations that it has declined.'),
    not_sent: Whole('Authorizations on which it provably did not act.'),
    success_rate: Type.Optional(
      Type.Number({
        description:
          '`approved` divided by `approved`, `declined` and `not_sent` together, to four digits; absent while none is decided.',
      }),
    ),
    median_ms: MaybeWhole('The median time until it answered, in milliseconds; absent if it answered nothing.'),
    p95_ms: MaybeWhole('The time within which it answered 95 of 100 requests, in milliseconds.'),
    unknown_outcomes: Whole('Requests whose outcome is unknown now. It is asked until it is known.'),
  },
  { title: 'ProcessorHealth', description: 'How a processor account has answered.' },
);

const HealthOutput = Type.Object(
  {
    object: ObjectKind('processor_health'),
    since: Moment('When the first request that is counted was made, at the earliest: 24 hours ago.'),
    data: Type.Array(Health, { description: 'The processor accounts that were asked since then.' }),
  },
  { title: 'ProcessorHealthReport' },
);

export function healthOperation(sources: readonly HealthSource[]): AnyOperation {
  return operation({
    callers: ['person', 'operator'],
    name: 'processor_accounts.health',
    summary: 'Retrieve the health of the processor accounts',
    description: `Counts the requests of the last 24 hours, by processor account: at most the newest ${samplesMax.toLocaleString('en')} of the account and mode. \`since\` says from when on.`,
    route: 'GET /processor_health',
    output: HealthOutput,
    async run({ reads, tenant, now }) {
      const range = { since: now - windowMs, now, limit: samplesMax };
      const found = await Promise.all(sources.map((source) => source(reads, tenant, range)));
      const since = Math.max(range.since, ...found.map((one) => one.since));
      const samples = found.flatMap((one) => one.samples);
      const groups = Map.groupBy(samples, ({ processor_account }) => processor_account);
      const data = [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
      return {
        result: {
          object: 'processor_health',
          since: Math.floor(since / 1_000),
          data: data.map(([processor_account, all]) => ({ processor_account, ...healthOf(all) })),
        },
      };
    },
  });
}

export function healthOf(samples: readonly HealthSample[]) {
  const count = (kind: HealthSample['authorization']) =>
    samples.filter(({ authorization }) => authorization === kind).length;
  const [approved, declined, not_sent] = [count('approved'), count('declined'), count('not_sent')];
  const rate = rateOf(approved, approved + declined + not_sent);
  const times = samples.flatMap(({ latencyMs }) => latencyMs ?? []).sort((one, other) => one - other);
  return {
    requests: samples.length,
    approved,
    declined,
    not_sent,
    ...(rate !== undefined && { success_rate: rate }),
    ...(times.length > 0 && { median_ms: percentile(times, 0.5), p95_ms: percentile(times, 0.95) }),
    unknown_outcomes: samples.filter(({ isUnknown }) => isUnknown).length,
  };
}

/** The smallest value that this part of all is not above. */
function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(sorted.length * part) - 1]!;
}
