import { insert, remove, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { ObjectNote } from './note.ts';

export const notesTable: Table<ObjectNote> = table('notes', {
  int4: 'tenant version',
  text: 'id subject customer text author_user author_key author_name',
});

const columns = notesTable.columns.join(', ');

export const addNote = (note: ObjectNote): Write => insert(notesTable, note);
export const removeNote = (note: ObjectNote): Write => remove(notesTable, note);

/** Those on a customer, and on what the customer has paid, disputed and subscribed to. */
export function findNotesOf(reads: Reads, tenant: Tenant, customer: string, limit: number): Promise<ObjectNote[]> {
  return reads.rows<ObjectNote>(
    `select ${columns} from notes where tenant = $1 and customer = $2 order by id limit $3`,
    [tenant, customer, limit],
  );
}
