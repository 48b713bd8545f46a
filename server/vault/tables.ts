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

export type SealedCvc = { tenant: Tenant; id: string; key_version: number; sealed: Buffer };

export const cardsTable = table<SealedCard>(
  'vault_cards',
  { tenant: 'int4', id: 'text', version: 'int4', key_version: 'int4', sealed: 'bytea', fingerprint: 'bytea' },
  { key: ['tenant', 'id'] },
);

const cvcColumns = { tenant: 'int4', id: 'text', key_version: 'int4', sealed: 'bytea' } as const;

/** A code cannot tell whose commit it came from once it is swept, so it proves nothing about a lost reply. */
export const cvcsTable = table<SealedCvc>('vault_cvcs', cvcColumns, { key: ['tenant', 'id'], identity: [] });

/** For reading alone: leaves out what has expired, by the clock of the database. */
export const usableCvcs = table<SealedCvc>('vault_usable_cvcs', cvcColumns, { key: ['tenant', 'id'], identity: [] });
