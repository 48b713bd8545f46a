import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { Ticket } from './ticket.ts';

export const ticketsTable: Table<Ticket> = table('tickets', {
  int4: 'tenant version',
  text: 'id title state',
  timestamptz: 'due_at lease_until',
});

export const addTicket = (ticket: Ticket): Write => insert(ticketsTable, ticket);
export const replaceTicket = (ticket: Ticket): Write => update(ticketsTable, ticket);

/** Deletes closed tickets of all tenants. */
export async function sweepClosed(pool: Pool): Promise<void> {
  await query(pool, `delete from tickets where state = 'closed'`, []);
}
