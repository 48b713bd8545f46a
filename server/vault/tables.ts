import { table } from '../base/commit/index.ts';
import type { Tenant } from '../base/reads.ts';

export type SealedCard = {
  tenant: Tenant;
  /** The payment method. */
  id: string;
  version: number;
  key_version: number;
  sealed: Buffer;
  fingerprint: Buffer;
};

export type SealedSecret = { tenant: Tenant; id: string; key_version: number; sealed: Buffer };

/** Its version never moves on: whoever uses the code removes it, and only one can. */
export type SealedCvc = SealedSecret & { version: number };

export const cardsTable = table<SealedCard>(
  'vault_cards',
  { tenant: 'int4', id: 'text', version: 'int4', key_version: 'int4', sealed: 'bytea', fingerprint: 'bytea' },
  { key: ['tenant', 'id'] },
);

/** A code cannot tell whose commit it came from once it is swept, so it proves nothing about a lost reply. */
export const cvcsTable = table<SealedCvc>(
  'vault_cvcs',
  { tenant: 'int4', id: 'text', version: 'int4', key_version: 'int4', sealed: 'bytea' },
  { key: ['tenant', 'id'], identity: [] },
);

/** Two units may want to write the secret of the same id, of which one wins: only the ciphertext proves whose it is. */
export const secretsTable = table<SealedSecret>(
  'vault_secrets',
  { tenant: 'int4', id: 'text', key_version: 'int4', sealed: 'bytea' },
  { key: ['tenant', 'id'], identity: ['tenant', 'id', 'sealed'] },
);

export type SealedContents = SealedSecret & { cvc_key_version: number | null; cvc_sealed: Buffer | null };

/** For reading alone: a card, with its code unless that has expired. */
export const contentsView = table<SealedContents>(
  'vault_contents',
  {
    tenant: 'int4',
    id: 'text',
    key_version: 'int4',
    sealed: 'bytea',
    cvc_key_version: 'int4',
    cvc_sealed: 'bytea',
  },
  { key: ['tenant', 'id'], identity: [] },
);
