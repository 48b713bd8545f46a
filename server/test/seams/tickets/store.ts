import { insert, table, update, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { Ticket } from './ticket.ts';

export const ticketsTable = table<Ticket>(
  'tickets',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    title: 'text',
    state: 'text',
    due_at: 'timestamptz',
    lease_until: 'timestamptz',
  },
  { key: ['tenant', 'id'] },
);

export function findTicket(reads: Reads, tenant: Tenant, id: string): Promise<Ticket | undefined> {
  return reads.one(ticketsTable, tenant, id);
}

export const addTicket = (ticket: Ticket): Write => insert(ticketsTable, ticket);
export const replaceTicket = (ticket: Ticket): Write => update(ticketsTable, ticket);

/** Of all tenants: closed ones are swept away. */
export async function sweepClosed(pool: Pool): Promise<void> {
  await query(pool, `delete from tickets where state = 'closed'`, []);
}
