import type { Id } from '../../../base/id.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Subject } from '../attempts/subject.ts';
import type { PaymentMethodId } from '../payment_methods/payment_method.ts';

export type SetupId = Id<'set'>;

export const setupStatuses = ['requires_action', 'processing', 'succeeded', 'failed', 'canceled'] as const;
export type SetupStatus = (typeof setupStatuses)[number];

/** A payment method that is verified without a charge, and whose cardholder agrees to later charges. */
export type Setup = Subject & {
  id: SetupId;
  payment_method: PaymentMethodId;
  customer: Id<'cus'> | null;
  /** The subscription that it was made for, which waits for its end. */
  subscription: Id<'sub'> | null;
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
  /** The attempt that the cardholder has agreed by, or may still agree by. */
  setup_attempt: AttemptId | null;
  /** The attempt whose outcome is not known yet. Until it is settled, no other verb is sent to the processor. */
  open_attempt: AttemptId | null;
  /** When it is canceled, unless the cardholder acts before. */
  expires_at: Date | null;
};
