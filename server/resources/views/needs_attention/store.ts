import { claim, remove, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';

export const frequencies = ['off', 'daily', 'at_once'] as const;
export type Frequency = (typeof frequencies)[number];

/** What a person has chosen in an account and mode. It is due when it is looked for something new; never, where it is off. */
export type AttentionReader = Leasable & {
  /** The user. */
  id: string;
  frequency: Frequency;
  /** What was mailed already, by kind and object, and when: epoch seconds. */
  told: Readonly<Record<string, number>>;
  mailed_at: Date | null;
};

export const readersTable: Table<AttentionReader> = table('attention_mails', {
  int4: 'tenant version',
  text: 'id frequency',
  json: 'told',
  timestamptz: 'mailed_at due_at lease_until',
});

export function saveReader(row: AttentionReader): Write {
  return row.version === 1 ? claim(readersTable, row) : update(readersTable, row);
}

export const dropReader = (row: AttentionReader): Write => remove(readersTable, row);

export async function findReader(reads: Reads, tenant: Tenant, user: string): Promise<AttentionReader | undefined> {
  const text = `select ${readersTable.columns.join(', ')} from attention_mails where tenant = $1 and id = $2`;
  const [found] = await reads.rows<AttentionReader>(text, [tenant, user]);
  return found;
}
