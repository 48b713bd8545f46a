import type { Client } from '../../../test/client.ts';
import type { Shown } from '../../billing/subscriptions/billing.fixture.ts';

/** Everything in a list between two seconds, page by page. */
export async function listed(client: Client, path: string, start: number, end: number): Promise<Shown[]> {
  const all: Shown[] = [];
  for (;;) {
    const after = all.length === 0 ? '' : `&starting_after=${all.at(-1).id}`;
    const bounds = `created[gte]=${start}&created[lt]=${end}&limit=100`;
    const mark = path.includes('?') ? '' : '?';
    const { data, has_more } = (await client.get(`/v1/${path}${mark}${bounds}${after}`)).json;
    all.push(...data);
    if (!has_more) return all;
  }
}

const sum = (all: Shown[], member = 'amount') => all.reduce((total, one) => total + one[member], 0);

export function rateIn(succeeded: number, failed: number): { success_rate?: number } {
  const decided = succeeded + failed;
  return decided === 0 ? {} : { success_rate: Math.round((succeeded / decided) * 10_000) / 10_000 };
}

/** The numbers of statistics as the lists have them. */
export async function counted(client: Client, start: number, end: number, currency: string) {
  const of = async (path: string) =>
    (await listed(client, path, start, end)).filter((one) => one.currency === currency);
  const [payments, refunds, disputes] = [await of('payments'), await of('refunds'), await of('disputes')];
  const fees = (await of('balance/transactions')).filter(({ type }) => type === 'fee' || type === 'fee_correction');
  const succeeded = payments.filter(({ status }) => status === 'succeeded');
  const failed = payments.filter(({ status }) => status === 'failed').length;
  const returned = refunds.filter(({ status }) => status === 'succeeded');
  const volume = sum(succeeded, 'amount_received');
  const withdrawn = sum(disputes.filter(({ status }) => status !== 'won'));
  return {
    ...{ currency, payments: payments.length, succeeded: succeeded.length, failed },
    ...rateIn(succeeded.length, failed),
    ...{ volume, refunds: returned.length, refunded: sum(returned) },
    ...{ disputes: disputes.length, disputed: sum(disputes), withdrawn },
    ...{ fees: 0 - sum(fees), net: volume - sum(returned) - withdrawn + sum(fees) },
  };
}

/** Half away from zero; amounts are not below zero here. */
const divided = (amount: bigint, by: bigint) => (2n * amount + by) / (2n * by);

/** What a subscription brings in a month, from what the lists show, by fractions. */
export function revenueOf(subscription: Shown, prices: Map<string, Shown>, coupons: Map<string, Shown>): bigint {
  const { interval, interval_count } = prices.get(subscription.items[0].price).recurring;
  const lines = subscription.items.map(
    ({ price, quantity }: Shown) => BigInt(prices.get(price).unit_amount) * BigInt(quantity),
  );
  const coupon = goesOn(subscription, coupons.get(subscription.coupon)) ? coupons.get(subscription.coupon) : undefined;
  const whole: bigint = lines.reduce((all: bigint, line: bigint) => all + line, 0n);
  const off = coupon?.amount_off === undefined ? 0n : BigInt(coupon.amount_off);
  const percent = BigInt(Math.round((coupon?.percent_off ?? 0) * 100));
  const discounts: bigint = lines.reduce((all: bigint, line: bigint) => all + divided(line * percent, 10_000n), 0n);
  const net = whole - discounts - (off < whole ? off : whole);
  const ayear = { year: 1n, month: 12n, week: 52n, day: 365n }[interval as 'year'];
  return divided(net * ayear, 12n * BigInt(interval_count));
}

/** Whether a coupon that it has from its creation reduces the next period. */
function goesOn({ created, current_period_end }: Shown, coupon: Shown): boolean {
  if (coupon?.duration !== 'repeating') return coupon?.duration === 'forever';
  const date = new Date(created * 1_000);
  const end = new Date(created * 1_000);
  end.setUTCDate(1);
  end.setUTCMonth(date.getUTCMonth() + coupon.duration_in_months + 1, 0); // the last day of that month
  end.setUTCDate(Math.min(date.getUTCDate(), end.getUTCDate()));
  return current_period_end * 1_000 < end.getTime();
}
