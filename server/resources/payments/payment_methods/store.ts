import { claim, discard, insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { type ConnectionsAt, firstRowsEverywhere } from '../../../base/places/connections.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { AttemptId, ProcessorAccountId } from '../../../connectors/contract.ts';
import { everyTenant } from '../../../operations/tenants.ts';
import type { PaymentMethod } from './payment_method.ts';

export const paymentMethodsTable: Table<PaymentMethod> = table('payment_methods', {
  int4: 'tenant version',
  text: `id customer detached_from brand last4 processor_account processor_customer
    token_attempt test_clock`,
  bool: 'detached',
  int2: 'exp_month exp_year',
  json: 'billing metadata',
  timestamptz: 'forget_since left_since due_at lease_until',
});

const columns = paymentMethodsTable.columns.join(', ');

/** A card number that a processor keeps: the customer that the processor has made for it. */
export type KeptCardRow = {
  tenant: Tenant;
  payment_method: string;
  processor_account: ProcessorAccountId;
  /** The processor's own name for it. */
  customer: string;
  /** The attempt that was committed with it: the first that could attach the card. */
  attempt: AttemptId;
};

const keptCardsTable: Table<KeptCardRow> = table('kept_cards', {
  int4: 'tenant',
  text: 'payment_method processor_account customer attempt',
  key: ['tenant', 'payment_method', 'processor_account', 'customer'],
  identity: [],
});

/** Of two requests that have the same customer made, the second is decided again. */
export const addKeptCard = (row: KeptCardRow): Write => claim(keptCardsTable, row);
export const removeKeptCard = (row: KeptCardRow): Write => discard(keptCardsTable, row);

export function findKeptCards(reads: Reads, tenant: Tenant, paymentMethod: string): Promise<KeptCardRow[]> {
  return reads.rows<KeptCardRow>(
    `select ${keptCardsTable.columns.join(', ')} from kept_cards where tenant = $1 and payment_method = $2 order by attempt`,
    [tenant, paymentMethod],
  );
}

/** Methods that are attached to a customer, then those that were, `limit` at most. */
export function findPaymentMethodsOf(
  reads: Reads,
  tenant: Tenant,
  customer: string,
  limit: number,
): Promise<PaymentMethod[]> {
  return reads.rows<PaymentMethod>(
    `(select ${columns} from payment_methods where tenant = $1 and customer = $2 limit $3)
     union all (select ${columns} from payment_methods where tenant = $1 and detached_from = $2 limit $3) limit $3`,
    [tenant, customer, limit],
  );
}

/** Whether this many methods are attached to a customer. */
export async function hasPaymentMethods(
  reads: Reads,
  tenant: Tenant,
  customer: string,
  count: number,
): Promise<boolean> {
  const rows = await reads.rows('select from payment_methods where tenant = $1 and customer = $2 limit $3', [
    tenant,
    customer,
    count,
  ]);
  return rows.length === count;
}

/** Whether a processor account keeps a method, detached ones included. */
export async function hasMethodsAt(reads: Reads, tenant: Tenant, processorAccount: string): Promise<boolean> {
  const rows = await reads.rows('select from payment_methods where tenant = $1 and processor_account = $2 limit 1', [
    tenant,
    processorAccount,
  ]);
  return rows.length > 0;
}

const left = 'p.left_since is not null';

/** A row for each customer that is left of a method: of a token the one that it is attached to, of a number those that were made for it. */
const atProcessors: Readonly<Record<string, string>> = {
  processor_account: 'coalesce(k.processor_account, p.processor_account) as processor_account',
  processor_customer: 'coalesce(k.customer, p.processor_customer) as processor_customer',
};
const leftColumns = paymentMethodsTable.columns.map((name) => atProcessors[name] ?? `p.${name}`).join(', ');

const leftoversMax = 1_000;

/** The oldest detached methods of all tenants that a processor still keeps, or whose customer it still has. */
export async function findLeftovers(at: ConnectionsAt): Promise<PaymentMethod[]> {
  const text = `select ${leftColumns} from payment_methods p
     left join kept_cards k on k.tenant = p.tenant and k.payment_method = p.id
    where p.tenant = any($1::int4[]) and ${left} order by p.left_since, p.id`;
  return firstRowsEverywhere<PaymentMethod>(at, text, [await everyTenant(at.directory)], {
    order: (one, other) => Number(one.left_since) - Number(other.left_since) || (one.id < other.id ? -1 : 1),
    limit: leftoversMax,
  });
}

/** Those of a tenant that the processor could not be asked to delete for days. */
export function findUnforgotten(reads: Reads, tenant: Tenant, limit: number): Promise<PaymentMethod[]> {
  return reads.rows<PaymentMethod>(
    `select ${leftColumns} from payment_methods p
       left join kept_cards k on k.tenant = p.tenant and k.payment_method = p.id
      where p.tenant = $1 and ${left} and p.due_at is not null order by p.left_since, p.id limit $2`,
    [tenant, limit],
  );
}

export const addPaymentMethod = (method: PaymentMethod): Write => insert(paymentMethodsTable, method);
export const replacePaymentMethod = (method: PaymentMethod): Write => update(paymentMethodsTable, method);

/** The ids of the newest methods that a processor account keeps, with these last four digits. */
export async function findMethodsLike(
  reads: Reads,
  tenant: Tenant,
  processorAccount: string,
  last4: string,
): Promise<string[]> {
  const rows = await reads.rows<{ id: string }>(
    `select id from payment_methods where tenant = $1 and processor_account = $2 and last4 = $3 order by id desc limit 100`,
    [tenant, processorAccount, last4],
  );
  return rows.map(({ id }) => id);
}

/** The newest methods that are attached to a customer. */
export function findNewestMethods(
  reads: Reads,
  tenant: Tenant,
  customer: string,
  limit: number,
): Promise<PaymentMethod[]> {
  return reads.rows<PaymentMethod>(
    `select ${paymentMethodsTable.columns.join(', ')} from payment_methods
      where tenant = $1 and customer = $2 order by id desc limit $3`,
    [tenant, customer, limit],
  );
}

/** Cards of customers that expire in a month, in the order of their ids. Those that live by a test clock are left out. */
export function findExpiring(
  reads: Reads,
  tenant: Tenant,
  { year, month, after, limit }: { year: number; month: number; after: string; limit: number },
): Promise<PaymentMethod[]> {
  return reads.rows<PaymentMethod>(
    `select ${columns} from payment_methods
      where tenant = $1 and exp_year = $2 and exp_month = $3 and id > $4 and customer is not null and test_clock is null
      order by id limit $5`,
    [tenant, year, month, after, limit],
  );
}
