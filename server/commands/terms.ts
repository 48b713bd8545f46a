import { currencyOf } from '../base/currency.ts';
import {
  type Account,
  type AccountDunning,
  type AccountTerms,
  ppmOfPercent,
  type ShownTerms,
  type Tier,
} from '../resources/people/accounts/account.ts';
import { customerMailKinds, type MailSwitches } from '../resources/people/accounts/mail_kinds.ts';
import { UsageError } from './usage.ts';

export type ChangeOptions = {
  tier?: Tier;
  rateLimit?: string;
  feePercent?: string;
  feeFixed?: string;
  settlementDays?: string;
  testSettlement?: AccountTerms['test_settlement'];
  dunningDays?: string;
  dunningEnd?: AccountDunning['dunning_end'];
  mail?: string;
};

const ppmMax = 100 * ppmOfPercent;
const settlementDaysMax = 90;
const dunningDayMax = 90;
const dunningDaysMax = 10;

/** What to change of an account. Options that are not given change nothing. */
export function readChanges(options: ChangeOptions): Partial<Account> {
  const { tier, rateLimit, feePercent, feeFixed, settlementDays, testSettlement, dunningDays, dunningEnd, mail } =
    options;
  const wanted: Partial<Account> = {
    ...(tier === undefined ? {} : { tier }),
    ...(rateLimit === undefined ? {} : { rate_limit: parseRateLimit(rateLimit) }),
    ...(feePercent === undefined ? {} : { fee_ppm: parsePercent(feePercent) }),
    ...(feeFixed === undefined ? {} : { fee_fixed: parseFixed(feeFixed) }),
    ...(settlementDays === undefined ? {} : { settlement_days: parseDays(settlementDays) }),
    ...(testSettlement === undefined ? {} : { test_settlement: testSettlement }),
    ...(dunningDays === undefined ? {} : { dunning_days: parseDunningDays(dunningDays) }),
    ...(dunningEnd === undefined ? {} : { dunning_end: dunningEnd }),
    ...(mail === undefined ? {} : { mail: parseMail(mail) }),
  };
  if (Object.keys(wanted).length === 0)
    throw new UsageError(
      'say what to set: --tier, --rate-limit, --fee-percent, --fee-fixed, --settlement-days, --test-settlement, --dunning-days, --dunning-end or --mail, one or more of them',
    );
  return wanted;
}

export function parseRateLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError('--rate-limit takes requests per minute, a whole number above zero');
  return Number(text);
}

/** The digits are shifted, not multiplied: as a double, 0.57 times 10,000 is less than 5,700. */
function parsePercent(text: string): number {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  const ppm = whole === undefined ? undefined : Number(whole + decimals.padEnd(4, '0'));
  if (ppm === undefined || ppm > ppmMax)
    throw new UsageError('--fee-percent takes a number from 0 to 100 with up to 4 decimals, such as 2.9');
  return ppm;
}

function parseFixed(text: string): Record<string, number> {
  if (text === 'none') return {};
  const amounts: Record<string, number> = {};
  for (const part of text.split(',')) {
    const [, code, amount] = /^\s*([^=\s]+)=(\d{1,12})\s*$/.exec(part) ?? [];
    if (code === undefined)
      throw new UsageError(
        '--fee-fixed takes amounts by currency, in its smallest unit, such as usd=30,eur=25; or none for nothing',
      );
    const currency = currencyOf(code);
    if (currency === undefined) throw new UsageError(`--fee-fixed names ${code}, which is no currency`);
    if (Object.hasOwn(amounts, currency)) throw new UsageError(`--fee-fixed names ${currency} twice`);
    amounts[currency] = Number(amount);
  }
  return amounts;
}

function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : undefined;
  if (days === undefined || days > settlementDaysMax)
    throw new UsageError(`--settlement-days takes a whole number from 0 to ${settlementDaysMax}`);
  return days;
}

function parseDunningDays(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  const days = parts.map(Number);
  const isAscending = days.every((day, at) => at === 0 || day > days[at - 1]!);
  const areDays = parts.every((part) => /^[1-9]\d?$/.test(part)) && days.every((day) => day <= dunningDayMax);
  if (!areDays || !isAscending || days.length > dunningDaysMax)
    throw new UsageError(
      `--dunning-days takes 1 to ${dunningDaysMax} different whole numbers from 1 to ${dunningDayMax}, ascending, such as 1,3,5,7`,
    );
  return days;
}

/** Those that are named are switched on, all others off. */
function parseMail(text: string): MailSwitches {
  const named = text === 'none' ? [] : text.split(',').map((kind) => kind.trim());
  if (named.some((kind) => !(customerMailKinds as readonly string[]).includes(kind)))
    throw new UsageError(`--mail takes none, or some of these, with commas between: ${customerMailKinds.join(',')}`);
  return Object.fromEntries(customerMailKinds.map((kind) => [kind, named.includes(kind)])) as MailSwitches;
}

export function feeInWords({ fee_percent, fee_fixed }: ShownTerms): string {
  const fixed = Object.entries(fee_fixed).map(([currency, amount]) => `${amount} ${currency}`);
  return `${fee_percent}%${fixed.length === 0 ? '' : ` + ${fixed.join(' or ')}`}`;
}

export function settlementInWords({ settlement_days, test_settlement }: ShownTerms): string {
  const days = settlement_days === 1 ? '1 day' : `${settlement_days} days`;
  return test_settlement === 'immediate' ? `${days}, immediately in test mode` : days;
}

export function dunningInWords({ dunning_days, dunning_end }: AccountDunning): string {
  const isOneDay = dunning_days.length === 1 && dunning_days[0] === 1;
  return `after ${dunning_days.join(', ')} ${isOneDay ? 'day' : 'days'}, then ${dunning_end}`;
}

export function mailsInWords({ mail }: { mail: Readonly<Record<string, boolean>> }): string {
  const kinds = Object.keys(mail).filter((kind) => mail[kind]);
  return kinds.length === 0 ? 'none to customers' : kinds.join(', ');
}
