import type { Id } from '../../../base/id.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Subject } from '../attempts/subject.ts';
import type { PaymentMethodId } from '../payment_methods/payment_method.ts';

export type SetupId = Id<'set'>;

export const setupStatuses = ['requires_action', 'processing', 'succeeded', 'failed', 'canceled'] as const;
export type SetupStatus = (typeof setupStatuses)[number];

/** The signals that move a setup. */
export type SetupSignal = 'approve' | 'challenge' | 'decline' | 'cancel' | 'reverse' | 'lose' | 'keep';
type SetupMoves = Record<SetupStatus | 'none', Partial<Record<SetupSignal, SetupStatus>>>;

/** Every legal move. `lose` is an outcome that is unknown. */
export const setupMoves = {
  none: { approve: 'succeeded', challenge: 'requires_action', decline: 'failed', lose: 'processing' },
  requires_action: {
    approve: 'succeeded',
    decline: 'failed',
    cancel: 'canceled',
    lose: 'processing',
    keep: 'requires_action',
  },
  processing: {
    approve: 'succeeded',
    challenge: 'requires_action',
    decline: 'failed',
    cancel: 'canceled',
    reverse: 'failed',
    lose: 'processing',
  },
  succeeded: {},
  failed: {},
  canceled: {},
} as const satisfies SetupMoves;

/** The status after a signal. An illegal move is a bug, because callers are refused before. */
export function moveSetup(from: SetupStatus | 'none', signal: SetupSignal): SetupStatus {
  const to = (setupMoves as SetupMoves)[from][signal];
  if (to === undefined) throw new Error(`a setup that is ${from} cannot ${signal}`);
  return to;
}

export function isOver(status: SetupStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

export const setupEvents = {
  'setup.succeeded': 'A payment method was verified, and its cardholder has agreed to later charges.',
  'setup.failed': 'A setup was declined, or never reached the processor.',
  'setup.requires_action': 'The cardholder must authenticate.',
  'setup.canceled': 'A setup was canceled, or expired.',
} as const;

/** A payment method that is verified without a charge, and whose cardholder agrees to later charges. */
export type Setup = Subject & {
  id: SetupId;
  /** Null: the cardholder chooses it on a page of the processor, which has not named it yet. */
  payment_method: PaymentMethodId | null;
  customer: Id<'cus'> | null;
  /** The subscription that it was made for, which waits for its end. */
  subscription: Id<'sub'> | null;
  /** The checkout session that it is a try of. */
  checkout_session: Id<'cs'> | null;
  /** The customer that it gets with its success, and not before: it is made in the same commit. Null: nobody. */
  new_customer: Id<'cus'> | null;
  status: SetupStatus;
  /** A cardholder who would have to authenticate is a decline; null: no. */
  declines_challenge: boolean | null;
  return_url: string | null;
  /** Null: never supplied. */
  metadata: Metadata | null;
  /** Where the cardholder has to go. */
  next_action: string | null;
  failure_code: string | null;
  failure_decline_code: string | null;
  /** The message of the refusal that answers for it. */
  failure_message: string | null;
  /** Why it was canceled, or is to be, where that was said. */
  cancellation_reason: string | null;
  /** The attempt that the cardholder has agreed by, or may still agree by. */
  setup_attempt: AttemptId | null;
  /** The attempt whose outcome is not known yet. Until it is settled, no other verb is sent to the processor. */
  open_attempt: AttemptId | null;
  /** When it is canceled, unless the cardholder acts before. */
  expires_at: Date | null;
};
