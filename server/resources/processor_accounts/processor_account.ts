import type { Leasable } from '../../base/lease.ts';
import type { ProcessorAccountId } from '../../connectors/contract.ts';
import type { OpenAccount } from '../../connectors/registration.ts';

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
  /** The name that the processor itself has for the account, once it was asked. */
  identity: string | null;
  last_verified_at: Date | null;
  /** Where the next poll for missed notices begins. */
  poll_cursor: string | null;
};
