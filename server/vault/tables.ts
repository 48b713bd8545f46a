import { type Table, table } from '../base/commit/index.ts';
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

type SealedSecret = { tenant: Tenant; id: string; key_version: number; sealed: Buffer };

/** Its version never changes: a commit that uses the code deletes it, and only one commit can. */
export type SealedCvc = SealedSecret & { version: number };

export const cardsTable: Table<SealedCard> = table('vault_cards', {
  int4: 'tenant version key_version',
  text: 'id',
  bytea: 'sealed fingerprint',
});

/** A code may be swept at any time, so its row is no proof of a commit whose reply was lost. */
export const cvcsTable: Table<SealedCvc> = table('vault_cvcs', {
  int4: 'tenant version key_version',
  text: 'id',
  bytea: 'sealed',
  identity: [],
});

/** Two units may write the secret of the same id, and one wins: only the ciphertext proves which unit wrote it. */
export const secretsTable: Table<SealedSecret> = table('vault_secrets', {
  int4: 'tenant key_version',
  text: 'id',
  bytea: 'sealed',
  identity: ['tenant', 'id', 'sealed'],
});

type SealedContents = SealedSecret & { cvc_key_version: number | null; cvc_sealed: Buffer | null };

/** For reading only: a card, with its code unless the code has expired. */
export const contentsView: Table<SealedContents> = table('vault_contents', {
  int4: 'tenant key_version cvc_key_version',
  text: 'id',
  bytea: 'sealed cvc_sealed',
  identity: [],
});
