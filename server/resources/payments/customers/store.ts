import { insert, remove, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { firstIdAt } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { isPostedSql } from '../../../ledger/missing.ts';
import type { ClockTime, Context } from '../../../operations/operation.ts';
import type { TestClockId } from '../test_clocks/test_clock.ts';
import type { CreditTransaction } from './credit_transaction.ts';
import type { Customer, CustomerId } from './customer.ts';

export const customersTable: Table<Customer> = table('customers', {
  int4: 'tenant version',
  text: 'id email name phone tax_id locale external_id default_payment_method test_clock',
  json: 'address metadata credit_balance',
  timestamptz: 'created_at',
});

export const creditTransactionsTable: Table<CreditTransaction> = table('credit_transactions', {
  int4: 'tenant',
  text: 'id customer currency invoice',
  int8: 'amount',
  timestamptz: 'created',
});

/** The oldest credit transactions that have no posting. */
export function findUnpostedCredit(reads: Reads, tenant: Tenant, max: number): Promise<CreditTransaction[]> {
  const kinds = ['credit_granted', 'credit_used', 'credit_forfeited'] as const;
  return reads.rows<CreditTransaction>(
    `select ${creditTransactionsTable.columns.join(', ')} from credit_transactions c
      where tenant = $1 and not (${kinds.map((kind) => isPostedSql('c', kind)).join(' or ')}) order by id limit $2`,
    [tenant, max],
  );
}

/** The tombstone of a customer. It is due until everything that goes with the customer is released. */
export type DeletedCustomer = Leasable & {
  id: CustomerId;
  deleted_at: Date;
  test_clock: TestClockId | null;
  /** Where the test clock was at the deletion. */
  clock_time: Date | null;
};

export const deletedCustomersTable: Table<DeletedCustomer> = table('deleted_customers', {
  int4: 'tenant version',
  text: 'id test_clock',
  timestamptz: 'deleted_at clock_time due_at lease_until',
  identity: [], // another server may have deleted the same customer
});

export const addCustomer = (customer: Customer): Write => insert(customersTable, customer);
export const addCreditTransaction = (transaction: CreditTransaction): Write =>
  insert(creditTransactionsTable, transaction);
export const replaceCustomer = (customer: Customer): Write => update(customersTable, customer);

/** The personal data is deleted; a tombstone stays, which is due until the job has seen that nothing is left. */
export function eraseCustomer(customer: Customer, now: number, clock?: ClockTime): Write[] {
  const { tenant, id } = customer;
  const deleted_at = new Date(now);
  const time = { test_clock: clock?.id ?? null, clock_time: clock === undefined ? null : new Date(clock.now) };
  const tombstone: DeletedCustomer = {
    tenant,
    id,
    version: 1,
    deleted_at,
    ...time,
    due_at: deleted_at,
    lease_until: null,
  };
  return [remove(customersTable, customer), insert(deletedCustomersTable, tombstone)];
}

export const replaceTombstone = (tombstone: DeletedCustomer): Write => update(deletedCustomersTable, tombstone);

/** Customers that live by a test clock, `limit` at most. */
export async function findCustomersOf(reads: Reads, tenant: Tenant, clock: string, limit: number): Promise<string[]> {
  const rows = await reads.rows<{ id: string }>(
    'select id from customers where tenant = $1 and test_clock = $2 order by id limit $3',
    [tenant, clock, limit],
  );
  return rows.map(({ id }) => id);
}

/** Customers who have an email, in whatever case, newest first. */
export function findByEmail(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  email: string,
  limit: number,
): Promise<Customer[]> {
  return reads.rows<Customer>(
    `select ${customersTable.columns.join(', ')} from customers where tenant = $1 and lower(email) = lower($2)
      order by id desc limit $3`,
    [tenant, email, limit],
  );
}

/** Those among the first `limit` customers of a test clock that have an external id. */
export function findNamedCustomersOf(reads: Reads, tenant: Tenant, clock: string, limit: number): Promise<Customer[]> {
  return reads.rows<Customer>(
    `select * from (
       select ${customersTable.columns.join(', ')} from customers where tenant = $1 and test_clock = $2 order by id limit $3) first
      where external_id is not null`,
    [tenant, clock, limit],
  );
}

/** The newest changes of a customer's credit before a moment, which the ledger has postings of. */
export async function findCreditOf(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  { id, before, limit }: { id: string; before: number; limit: number },
): Promise<string[]> {
  const rows = await reads.rows<{ id: string }>(
    `select id from credit_transactions where tenant = $1 and customer = $2 and id < $3
      order by customer desc, id desc limit $4`,
    [tenant, id, firstIdAt('ctx', before), limit],
  );
  return rows.map((row) => row.id);
}
