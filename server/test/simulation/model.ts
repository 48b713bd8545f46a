import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../client.ts';
import { type Call, feeFixed, type Place, type World } from './world.ts';

/** The behaviour of the test cards. */
export const cards = {
  approved: '4242424242424242',
  declined: '4000000000000002',
  /** The money was taken, and the answer is lost. */
  reply_lost: '4000000000000408',
  never_received: '4000000000000416',
  disputed: '4000000000000259',
  refund_pending: '4000000000007726',
  refund_bounces: '4000000000005126',
} as const;
export type CardName = keyof typeof cards;

/** Cards that want their cardholder: for every charge, or until they were set up. */
export const challengingCards = { challenged: '4000000000003220', challenged_once: '4000002500003155' } as const;
/** The cards that are set up. */
export const setupCards = [
  'approved',
  'declined',
  'reply_lost',
  'never_received',
  'challenged',
  'challenged_once',
] as const;
export type SetupCard = (typeof setupCards)[number];
/** A setup that has ended. */
export type SetupModel = {
  id: string;
  card: SetupCard;
  customer: string;
  method: string;
  status: 'succeeded' | 'failed' | 'canceled';
};

export type RefundModel = { id: string; amount: number; status: 'pending' | 'succeeded' | 'failed' };
export type DisputeModel = {
  status: 'needs_response' | 'under_review' | 'won' | 'lost';
  amount: number;
  awaits?: 'won' | 'lost';
};
export type PaymentModel = {
  id: string;
  card: CardName;
  amount: number;
  isManual: boolean;
  status: string;
  received: number;
  metadata: Record<string, number>;
  refunds: RefundModel[];
  dispute?: DisputeModel;
};

/** The expected state, as simply as possible. Everything that the gateway shows is compared with it. */
export class Model {
  readonly payments: PaymentModel[] = [];
  readonly setups: SetupModel[] = [];
  readonly sent: { call: Call; status: number; text: string }[] = [];
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  at(pick: number): PaymentModel {
    return this.payments[pick % this.payments.length]!;
  }

  remember(call: Call, { status, text }: Answer): void {
    this.sent.push({ call, status, text });
  }

  /** What the processor does immediately without a request. */
  settle(): void {
    const isStripe = this.place === 'stripe';
    for (const payment of this.payments) {
      const left = payment.received - refunded(payment);
      if (payment.card === 'disputed' && payment.dispute === undefined && left > 0)
        payment.dispute = { status: 'needs_response', amount: left };
      if (!isStripe) bounce(payment); // Stripe decides later
      if (isStripe && payment.card === 'reply_lost') find(payment); // it sends a notice, where the simulator is asked later
      const { dispute } = payment;
      if (dispute?.status === 'under_review' && dispute.awaits !== undefined) dispute.status = dispute.awaits;
    }
  }

  /** The outcome of an inquiry, or after some time. */
  later(): void {
    for (const payment of this.payments) {
      bounce(payment);
      for (const refund of payment.refunds) if (refund.status === 'pending') refund.status = 'succeeded';
      find(payment);
    }
    this.settle();
  }
}

/** The outcome becomes known. */
function find(payment: PaymentModel): void {
  if (payment.status !== 'processing') return;
  const isHeld = payment.card === 'reply_lost';
  payment.status = isHeld ? (payment.isManual ? 'requires_capture' : 'succeeded') : 'failed';
  if (payment.status === 'succeeded') payment.received = payment.amount;
}

function bounce({ card, refunds }: PaymentModel): void {
  if (card !== 'refund_bounces') return;
  for (const refund of refunds) if (refund.status === 'succeeded') refund.status = 'failed';
}

/** Pending and succeeded refunds: amounts that cannot be refunded again. */
export function refunded({ refunds }: PaymentModel): number {
  return refunds.reduce((sum, { amount, status }) => sum + (status === 'failed' ? 0 : amount), 0);
}

const lookAgainMs = 25;

/** Expects that the API shows the state of the model. Work of the worker may take a moment. */
export async function compare(model: Model, world: World): Promise<void> {
  const setups = model.setups.map(({ id, status }) => ({ id, status }));
  const should = { payments: believed(model), setups, balance: balanceOf(model) };
  for (let waited = 0; ; waited += lookAgainMs) {
    const is = {
      payments: await shown(model, world),
      setups: await shownSetups(model, world),
      balance: await world.balance(),
    };
    if (isDeepStrictEqual(is, should)) return;
    if (waited >= world.patienceMs)
      throw new Error(`it shows ${JSON.stringify(is)}, but should ${JSON.stringify(should)}`);
    await sleep(lookAgainMs);
  }
}

function believed({ payments }: Model) {
  return payments.map((payment) => ({
    id: payment.id,
    status: payment.status,
    amount_received: payment.received,
    amount_refunded: payment.refunds.length === 0 ? undefined : refunded(payment),
    metadata: Object.keys(payment.metadata).length === 0 ? undefined : payment.metadata,
    refunds: payment.refunds.map(({ id, amount, status }) => ({ id, amount, status })),
    dispute: payment.dispute?.status,
  }));
}

/** The amount received, less refunds, disputed and lost amounts, and a fee for each payment. */
function balanceOf({ payments }: Model): { own: number; disputed: number } {
  const sum = { own: 0, disputed: 0 };
  for (const payment of payments) {
    const { received, dispute } = payment;
    const taken = dispute === undefined || dispute.status === 'won' ? 0 : dispute.amount;
    sum.own += received - refunded(payment) - taken - (received > 0 ? feeFixed : 0);
    sum.disputed += dispute?.status === 'lost' ? 0 : taken;
  }
  return sum;
}

async function shownSetups({ setups }: Model, world: World): Promise<unknown> {
  return Promise.all(
    setups.map(async ({ id }) => ({ id, status: (await world.get(`/v1/setups/${id}`)).json.status as string })),
  );
}

async function shown(model: Model, world: World): Promise<unknown> {
  return Promise.all(
    model.payments.map(async ({ id, refunds }) => {
      const { status, amount_received, amount_refunded, metadata, dispute } = (await world.get(`/v1/payments/${id}`))
        .json;
      const made = refunds.map(async (refund) => (await world.get(`/v1/refunds/${refund.id}`)).json);
      const seen = (await Promise.all(made)).map((refund) => ({
        id: refund.id,
        amount: refund.amount,
        status: refund.status,
      }));
      const state = dispute && (await world.get(`/v1/disputes/${dispute}`)).json.status;
      return { id, status, amount_received, amount_refunded, metadata, refunds: seen, dispute: state };
    }),
  );
}
