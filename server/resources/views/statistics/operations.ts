import { currencyOf } from '../../../base/currency.ts';
import { apiError } from '../../../operations/errors.ts';
import {
  breakdownSources,
  figureSources,
  funnelSources,
  subscriptionFigureSources,
} from '../../../operations/extension_points/statistics.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { readTallies, type Tally, topOf } from './breakdown.ts';
import { bucketsOf, type Counts, netOf, pivoted, readFigures, successRate, totalsOf } from './figures.ts';
import { conversionOf, funnelsOf } from './funnel.ts';
import {
  BreakdownInput,
  BreakdownOutput,
  bucketSizes,
  daysMax,
  FunnelInput,
  FunnelOutput,
  StatisticsInput,
  StatisticsOutput,
  SubscriptionsInput,
  SubscriptionsOutput,
} from './schema.ts';
import { daysOf, readDays, totalsOfDays } from './subscriptions.ts';

type Extensions = Pick<Declared, 'extensionsOf'>;

export function statisticsOperations(declared: Extensions): AnyOperation[] {
  return [
    retrieveStatistics(declared),
    retrieveBreakdown(declared),
    retrieveSubscriptions(declared),
    retrieveCheckoutSessions(declared),
  ];
}

function retrieveStatistics(declared: Extensions) {
  const sources = declared.extensionsOf(figureSources);
  return operation({
    callers: ['person', 'operator'],
    name: 'statistics.retrieve',
    summary: 'Retrieve statistics',
    description:
      'Counts what was created from `from` to before `to`, by currency and bucket, as it is now. Each number is that of the list with the same currency, the same `created` bounds and, where it names one, the status.',
    route: 'GET /statistics',
    input: StatisticsInput,
    output: StatisticsOutput,
    errors: apiError.codes('currency_unknown'),
    check({ from, to, bucket, currency }) {
      checkRange({ from, to, currency });
      const { seconds, max } = bucketSizes[bucket];
      const reason = `there can be at most ${max} buckets; ask for a shorter range${bucket === 'hour' ? ', or for days' : ''}`;
      if (to - from > max * seconds) throw apiError('parameter_invalid', { param: 'bucket', reason });
    },
    async run({ reads, tenant }, { from, to, bucket, currency = null }) {
      const buckets = bucketsOf({ from, to, seconds: bucketSizes[bucket].seconds });
      const found = sources.map(async (source) => ({
        of: source.of,
        figures: await readFigures(reads, tenant, source, buckets, currency),
      }));
      const rows = pivoted(await Promise.all(found));
      const data = rows.map((row) => ({ ...buckets[row.at - 1]!, ...serialize(row.currency, row.counts) }));
      const totals = totalsOf(rows).map((total) => serialize(total.currency, total.counts));
      return { result: { object: 'statistics', from, to, bucket, totals, data } };
    },
  });
}

function retrieveBreakdown(declared: Extensions) {
  const [source] = declared.extensionsOf(breakdownSources);
  return operation({
    callers: ['person', 'operator'],
    name: 'statistics.breakdown',
    summary: 'Break payments down by a value',
    description:
      'Counts the payments that were created from `from` to before `to` by the reason of their decline, their processor account, or the brand or country of their card, as they are now.',
    route: 'GET /statistics/breakdown',
    input: BreakdownInput,
    output: BreakdownOutput,
    errors: apiError.codes('currency_unknown'),
    check: checkDays,
    async run(context, { from, to, by, currency }) {
      const { isLate } = context;
      const { tallies, isComplete } = await readTallies(context, source!, { from, to, by }, { isLate });
      const wanted = tallies.filter((tally) => currency === undefined || tally.currency === currency);
      const { top, rest } = topOf(wanted);
      const data = top.map(({ currency: of, value, ...tally }) => ({
        currency: of,
        ...(value === null ? {} : { value }),
        ...withRate(tally),
      }));
      const other = rest.map(({ currency: of, values, ...tally }) => ({ currency: of, values, ...withRate(tally) }));
      return { result: { object: 'statistics_breakdown', from, to, by, is_complete: isComplete, data, other } };
    },
  });
}

function retrieveSubscriptions(declared: Extensions) {
  const sources = declared.extensionsOf(subscriptionFigureSources);
  return operation({
    callers: ['person', 'operator'],
    name: 'statistics.subscriptions',
    summary: 'Retrieve statistics of subscriptions',
    description:
      'Recurring revenue at the end of each day in UTC, and how many subscriptions there are, began and ended; what was paid after a failed charge, and what was given up.',
    route: 'GET /statistics/subscriptions',
    input: SubscriptionsInput,
    output: SubscriptionsOutput,
    errors: apiError.codes('currency_unknown'),
    check: checkDays,
    async run(context, { from, to, currency }) {
      const days = daysOf({ from, to });
      const { since, rows } = await readDays(context, sources, days);
      const wanted = rows.filter((row) => currency === undefined || row.currency === currency);
      const last = days.filter(({ start }) => start * 1_000 <= context.now).length;
      return {
        result: {
          object: 'statistics_subscriptions',
          from: days[0]!.start,
          to: days.at(-1)!.end,
          ...(since === undefined ? {} : { since }),
          totals: totalsOfDays(wanted, last).map(({ currency: of, counts }) => ({ currency: of, ...counts })),
          data: wanted.map(({ at, currency: of, counts }) => ({ ...days[at - 1]!, currency: of, ...counts })),
        },
      };
    },
  });
}

function retrieveCheckoutSessions(declared: Extensions) {
  const [source] = declared.extensionsOf(funnelSources);
  return operation({
    callers: ['person', 'operator'],
    name: 'statistics.checkout_sessions',
    summary: 'Retrieve statistics of checkout sessions',
    description:
      'Counts the checkout sessions that were created from `from` to before `to`, by currency, as they are now: all of them, or those of a payment link. Each number is that of the list with the same currency, payment link, `created` bounds and status.',
    route: 'GET /statistics/checkout_sessions',
    input: FunnelInput,
    output: FunnelOutput,
    errors: apiError.codes('currency_unknown'),
    check: checkDays,
    async run({ reads, tenant }, { from, to, currency = null, payment_link }) {
      const only = payment_link === undefined ? undefined : { column: source!.maker, value: payment_link };
      const figures = await readFigures(reads, tenant, source!, [{ start: from, end: to }], currency, only);
      const totals = funnelsOf(figures).map(({ currency: of, amount, ...counts }) => {
        const rate = conversionOf(counts);
        return {
          ...(of === null ? {} : { currency: of }),
          ...counts,
          ...(rate === undefined ? {} : { conversion_rate: rate }),
          amount,
        };
      });
      return { result: { object: 'statistics_checkout_sessions', from, to, totals } };
    },
  });
}

type WantedRange = { from: number; to: number; currency?: string | undefined };

function checkDays(range: WantedRange): void {
  checkRange(range);
  if (range.to - range.from > daysMax * bucketSizes.day.seconds)
    throw apiError('parameter_invalid', { param: 'to', reason: `the range can be ${daysMax} days long at most` });
}

function checkRange({ from, to, currency }: WantedRange): void {
  if (to <= from) throw apiError('parameter_invalid', { param: 'to', reason: 'it must be later than from' });
  if (currency !== undefined && currencyOf(currency) === undefined)
    throw apiError('currency_unknown', { param: 'currency' });
}

function serialize(currency: string, counts: Counts): object {
  const { payments, succeeded, failed, volume, ...rest } = counts;
  return { currency, ...withRate({ payments, succeeded, failed, volume }), ...rest, net: netOf(counts) };
}

/** The rate stands before the volume. */
function withRate({ volume, ...counts }: Tally): object {
  const rate = successRate(counts);
  return { ...counts, ...(rate === undefined ? {} : { success_rate: rate }), volume };
}
