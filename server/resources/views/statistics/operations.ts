import { currencyOf } from '../../../base/currency.ts';
import { apiError } from '../../../operations/errors.ts';
import { figureSources } from '../../../operations/extension_points/statistics.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { bucketsOf, type Counts, netOf, pivoted, readFigures, successRate, totalsOf } from './figures.ts';
import { bucketSizes, StatisticsInput, StatisticsOutput } from './schema.ts';

export function statisticsOperations(declared: Pick<Declared, 'extensionsOf'>): AnyOperation[] {
  const sources = declared.extensionsOf(figureSources);
  const retrieve = operation({
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
      if (to <= from) throw apiError('parameter_invalid', { param: 'to', reason: 'it must be later than from' });
      const { seconds, max } = bucketSizes[bucket];
      const reason = `there can be at most ${max} buckets; ask for a shorter range${bucket === 'hour' ? ', or for days' : ''}`;
      if (to - from > max * seconds) throw apiError('parameter_invalid', { param: 'bucket', reason });
      if (currency !== undefined && currencyOf(currency) === undefined)
        throw apiError('currency_unknown', { param: 'currency' });
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
  return [retrieve];
}

function serialize(currency: string, counts: Counts): object {
  const rate = successRate(counts);
  const { payments, succeeded, failed, ...rest } = counts;
  return {
    currency,
    payments,
    succeeded,
    failed,
    ...(rate === undefined ? {} : { success_rate: rate }),
    ...rest,
    net: netOf(counts),
  };
}
