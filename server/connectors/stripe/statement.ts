import { isId } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';
import type { MarkedPayment, StatementLine } from '../contract.ts';
import type { StripeConversation } from './conversation.ts';
import {
  cardOf,
  expanded,
  intentOf,
  metadataOf,
  numberOf,
  objectOf,
  pageOf,
  type StripeObject,
  textOf,
} from './shapes.ts';
import { unanswered } from './tokens.ts';
import { fromStripe } from './units.ts';
import type { StripeForm } from './wire.ts';

const pageSize = 100;

/** Each page has its own time limit. */
export type StatementReader = { talk: () => StripeConversation; tenant: Tenant };

type StripeRange = { gte: number; lt: number };

/**
 * Balance transactions, oldest first. Stripe lists the newest first: the first pass remembers where each page begins, and the second reads
 * the pages from the last to the first, so that no more than one of them is in memory.
 */
export async function* statement(
  { talk, tenant }: StatementReader,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<StatementLine[], void, undefined> {
  const range = { gte: seconds(from), lt: seconds(to) };
  if (range.gte >= range.lt) return;
  const payouts = await payoutsOf(talk, range);
  const starts: (string | undefined)[] = [undefined];
  for await (const { data, hasMore } of pages(talk, ['balance_transactions'], { created: range }))
    if (hasMore) starts.push(textOf(data.at(-1)?.id));
  for (const start of starts.reverse()) {
    const expand = ['data.source', 'data.source.payment_intent'];
    const { data } = await readPage(talk(), ['balance_transactions'], {
      created: range,
      starting_after: start,
      expand,
    });
    const lines = data.reverse().flatMap((transaction) => lineOf(tenant, transaction, payouts) ?? []);
    if (lines.length > 0) yield lines;
  }
}

/** The payout of each transaction of the range that was paid out already. Stripe tells it by listing the transactions of a payout. */
async function payoutsOf(talk: StatementReader['talk'], range: StripeRange): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const { data } of pages(talk, ['payouts'], { created: { gte: range.gte } }))
    for (const payout of data) {
      const id = textOf(payout.id);
      // Of a payout that was made by hand, Stripe does not know what it contains.
      if (id === undefined || payout.automatic !== true) continue;
      for await (const page of pages(talk, ['balance_transactions'], { payout: id, created: range }))
        for (const transaction of page.data) found.set(textOf(transaction.id) ?? '', id);
    }
  return found;
}

/** All pages of a list, newest first. */
async function* pages(talk: StatementReader['talk'], path: readonly string[], form: StripeForm) {
  let after: string | undefined;
  for (;;) {
    const page = await readPage(talk(), path, { ...form, starting_after: after });
    after = textOf(page.data.at(-1)?.id);
    const hasMore = page.hasMore && after !== undefined;
    yield { data: page.data, hasMore };
    if (!hasMore) return;
  }
}

/** Stripe's times are whole seconds. */
function seconds(at: Date): number {
  return Math.ceil(at.getTime() / 1_000);
}

async function readPage(talk: StripeConversation, path: readonly string[], form: StripeForm) {
  const answer = await talk.get(path, { ...form, limit: pageSize });
  const page = answer.kind === 'done' ? pageOf(answer.object) : undefined;
  if (page === undefined) throw unanswered('statement', answer);
  return page;
}

/**
 * By reporting category ("Reporting categories" in Stripe's documentation). A capture in part has two transactions: the charge of all that
 * was authorized, and the reversal of the rest.
 */
const kinds: Readonly<Record<string, StatementLine['kind']>> = {
  charge: 'payment',
  partial_capture_reversal: 'release',
  refund: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute_reversal',
  payout: 'payout',
  payout_reversal: 'payout',
};

/**
 * Stripe books a refund when it is made, and books it back when it fails. The gateway's books have neither: there a refund moves money once
 * it has succeeded.
 */
const unmoved = new Set(['pending', 'requires_action', 'failed', 'canceled']);

/** A movement of money; undefined for what concerns Stripe and the merchant alone, such as fees and reserves. */
export function lineOf(
  tenant: Tenant,
  transaction: StripeObject,
  payouts: ReadonlyMap<string, string>,
): StatementLine | undefined {
  const kind = kinds[textOf(transaction.reporting_category) ?? ''];
  const source = expanded(transaction, 'source');
  const created = numberOf(transaction.created);
  if (kind === undefined || source === undefined || created === undefined) return undefined;
  if (kind === 'refund' && unmoved.has(textOf(source.status) ?? '')) return undefined;
  const settled = moneyOf(transaction, 'amount')!;
  // In the currency of the payment, not in that of the account: the gateway's books have no other.
  const money = moneyOf(source, kind === 'payment' ? 'amount_captured' : 'amount') ?? settled;
  const isSame = money.currency === settled.currency;
  const availableOn = numberOf(transaction.available_on);
  const payout = payouts.get(textOf(transaction.id) ?? '');
  return {
    tenant,
    kind,
    reference: referenceOf(kind, source),
    money: { ...money, amount: Math.abs(money.amount) },
    at: new Date(created * 1_000),
    ...(isSame ? bookedOf(transaction) : {}),
    ...(payout === undefined ? {} : { payout }),
    ...(availableOn === undefined ? {} : { availableOn: new Date(availableOn * 1_000) }),
    ...marksOf(kind, source),
  };
}

function bookedOf(transaction: StripeObject): Pick<StatementLine, 'gross' | 'fee' | 'net'> {
  const [gross, fee, net] = ['amount', 'fee', 'net'].map((member) => moneyOf(transaction, member)?.amount);
  return gross === undefined || fee === undefined || net === undefined ? {} : { gross, fee, net };
}

function moneyOf(object: StripeObject, member: string) {
  const [amount, currency] = [numberOf(object[member]), textOf(object.currency)];
  return amount === undefined || currency === undefined ? undefined : fromStripe(amount, currency);
}

/** The attempt where the gateway has made it; otherwise Stripe's own id, which the gateway's books do not have. */
function referenceOf(kind: StatementLine['kind'], source: StripeObject): string {
  const id = textOf(source.id) ?? '';
  if (kind === 'refund') return metadataOf(source).tollgate_attempt ?? id;
  if (kind !== 'payment') return id;
  const intent = metadataOf(expanded(source, 'payment_intent'));
  return intent.tollgate_capture ?? intent.tollgate_attempt ?? metadataOf(source).tollgate_attempt ?? id;
}

/** The name of a refund, and the payment that a charge or a refund is about by the marks on its intent. */
function marksOf(kind: StatementLine['kind'], source: StripeObject): Pick<StatementLine, 'refund' | 'origin'> {
  if (kind !== 'payment' && kind !== 'refund') return {};
  const refund = kind === 'refund' ? textOf(source.id) : undefined;
  const origin = originOf(source);
  return { ...(refund === undefined ? {} : { refund }), ...(origin === undefined ? {} : { origin }) };
}

/** Undefined for what other software has made. */
function originOf(source: StripeObject): MarkedPayment | undefined {
  const intent = intentOf(source.payment_intent);
  const { tollgate_payment: payment = '', tollgate_attempt = '', tollgate_capture = '' } = intent?.metadata ?? {};
  if (intent === undefined || !isId('py', payment) || !isId('att', tollgate_attempt)) return undefined;
  const card = cardOf(objectOf(objectOf(source.payment_method_details)?.card));
  const token = textOf(source.payment_method);
  return {
    payment,
    authorization: tollgate_attempt,
    ...(isId('att', tollgate_capture) ? { capture: tollgate_capture } : {}),
    reference: intent.id,
    money: fromStripe(intent.amount, intent.currency),
    isManual: intent.isManual,
    ...(card && { method: { ...card, ...(token && { token: new Secret(token) }) } }),
  };
}
