import { discard, insert, remove, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { ObjectNote } from './note.ts';

export const notesTable: Table<ObjectNote> = table('notes', {
  int4: 'tenant version',
  text: 'id subject customer text author_user author_key author_name',
});

export const addNote = (note: ObjectNote): Write => insert(notesTable, note);
export const removeNote = (note: ObjectNote): Write => remove(notesTable, note);

/** Whether or not its author has deleted it meanwhile. */
export const eraseNote = (note: Pick<ObjectNote, 'tenant' | 'id'>): Write => discard(notesTable, note);

/** Those on a customer, and on what the customer has paid, disputed and subscribed to. Their texts can be long, and are not read. */
export function findNotesOf(
  reads: Reads,
  tenant: Tenant,
  customer: string,
  limit: number,
): Promise<Pick<ObjectNote, 'tenant' | 'id'>[]> {
  return reads.rows(`select tenant, id from notes where tenant = $1 and customer = $2 order by id limit $3`, [
    tenant,
    customer,
    limit,
  ]);
}
