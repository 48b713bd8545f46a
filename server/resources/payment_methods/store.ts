import { insert, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { PaymentMethod, PaymentMethodId } from './payment_method.ts';

export const paymentMethodsTable = table<PaymentMethod>(
  'payment_methods',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    customer: 'text',
    detached: 'bool',
    detached_from: 'text',
    brand: 'text',
    last4: 'text',
    exp_month: 'int2',
    exp_year: 'int2',
    billing: 'json',
    metadata: 'json',
    due_at: 'timestamptz',
    lease_until: 'timestamptz',
  },
  { key: ['tenant', 'id'] },
);

export function findPaymentMethod(
  reads: Reads,
  tenant: Tenant,
  id: PaymentMethodId,
): Promise<PaymentMethod | undefined> {
  return reads.one(paymentMethodsTable, tenant, id);
}

/** Those that are a customer's, and those that were. */
export function findPaymentMethodsOf(reads: Reads, tenant: Tenant, customer: string): Promise<PaymentMethod[]> {
  const columns = paymentMethodsTable.columns.join(', ');
  return reads.rows<PaymentMethod>(
    `select ${columns} from payment_methods where tenant = $1 and (customer = $2 or detached_from = $2) order by id`,
    [tenant, customer],
  );
}

export function addPaymentMethod(method: PaymentMethod): Write {
  return insert(paymentMethodsTable, method);
}

export function replacePaymentMethod(method: PaymentMethod): Write {
  return update(paymentMethodsTable, method);
}
