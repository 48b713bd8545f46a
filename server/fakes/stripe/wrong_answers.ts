import type { FakeObject } from './shapes.ts';
import type { FakeWorld } from './world.ts';

type FakeBody = { [name: string]: unknown };

/** The answer about another object of the same kind: one that exists, or one that never did. */
export function aboutAnother(world: FakeWorld, body: object): object {
  const { id, object } = body as FakeObject;
  const other = world.all(object).find((one) => one.id !== id);
  return other ?? { ...body, id: world.newId(String(id).split('_')[0] ?? 'xx'), metadata: {} };
}

/** The opposite of the status in the answer. */
const opposites: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payment_intent: {
    succeeded: 'requires_payment_method',
    requires_capture: 'requires_payment_method',
    requires_payment_method: 'succeeded',
    canceled: 'succeeded',
    processing: 'succeeded',
    requires_action: 'succeeded',
  },
  setup_intent: {
    succeeded: 'requires_payment_method',
    requires_payment_method: 'succeeded',
    canceled: 'succeeded',
    processing: 'succeeded',
    requires_action: 'succeeded',
  },
  'checkout.session': { complete: 'open', open: 'complete', expired: 'complete' },
  refund: { succeeded: 'failed', pending: 'failed', failed: 'succeeded' },
  charge: { succeeded: 'failed', failed: 'succeeded' },
  dispute: { won: 'lost', lost: 'won', under_review: 'lost', needs_response: 'won' },
};

/** The answer with the opposite of what has happened; unchanged where there is no opposite. */
export function contradicting(body: object): object {
  const { object, status, amount } = body as FakeBody;
  const opposite = opposites[String(object)]?.[String(status)];
  if (opposite === undefined) return body;
  if (object === 'setup_intent')
    return {
      ...body,
      status: opposite,
      last_setup_error: opposite === 'succeeded' ? null : declined,
      next_action: null,
    };
  if (object !== 'payment_intent') return { ...body, status: opposite };
  return opposite === 'succeeded'
    ? { ...body, status: opposite, amount_received: amount, last_payment_error: null, next_action: null }
    : { ...body, status: opposite, amount_received: 0, amount_capturable: 0, last_payment_error: declined };
}

const declined = {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};
