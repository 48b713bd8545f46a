import type { Table } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { MailContact, MailContacts } from '../../../operations/extension_points/mail_contacts.ts';

/** Finds a row: as it is stored, or as it will be. */
export type FindRow = <Row extends object>(table: Table<Row>, id: string) => Promise<Row | undefined>;

export const storedRow =
  (reads: Pick<Reads, 'one'>, tenant: Tenant): FindRow =>
  (table, id) =>
    reads.one(table, tenant, id);

/** What is known of a contact. Gone: it existed, and was deleted or erased; there is nobody to write to any more. */
export type FoundContact = { isGone: boolean; known?: MailContact };

/** Without a contact, a mail goes to its address as it is. */
export async function contactOf(
  kinds: readonly MailContacts[],
  id: string | null,
  find: FindRow,
): Promise<FoundContact> {
  if (id === null) return { isGone: false };
  const kind = kinds.find(({ prefix }) => id.startsWith(`${prefix}_`));
  const row = kind && (await find(kind.table as Table<object>, id));
  const known = row && kind.contactIn(row);
  return known === undefined ? { isGone: true } : { isGone: false, known };
}
