import type { Leasable } from '../../../base/lease.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import type { OpenAccount } from '../../../connectors/registration.ts';

/** An account at a processor. */
export type ProcessorAccount = Leasable & {
  id: ProcessorAccountId;
  connector: string;
  name: string;
  /** A disabled one takes no new payments; its notices and later verbs go on. */
  enabled: boolean;
  settings: OpenAccount['settings'];
  /** The id of its credentials in the vault: a new one with each change, so that an old and a new row never share a secret. */
  secret: string;
  /** The id in the vault of the webhook secret before the last change, and until when notices may be signed with it. */
  previous_secret: string | null;
  previous_until: Date | null;
  /** The name that the processor itself has for the account, learnt as soon as the processor answers. */
  identity: string | null;
  /**
   * Since when the credentials are known to be of one account at the processor: since they were replaced while the identity was unknown.
   * Null: since the row was made.
   */
  credentials_since: Date | null;
  last_verified_at: Date | null;
  /** Where the next poll for missed notices begins. */
  poll_cursor: string | null;
};

/** In one account and mode, disabled ones included: every payment reads those that are enabled. */
export const processorAccountsMax = 50;

/** The path at which a processor reports to the gateway. */
export function noticePath(id: ProcessorAccountId): string {
  return `/processors/${id}`;
}
