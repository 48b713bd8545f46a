import type { Sql } from '../base/sql.ts';
import { findAnywhere } from '../resources/payments/attempts/subject.ts';
import { presentLeftover } from '../resources/payments/payment_methods/leftovers.ts';
import { findLeftovers, paymentMethodsTable } from '../resources/payments/payment_methods/store.ts';
import { withConnection } from './context.ts';
import { findOwners, ownerShown } from './notices.ts';
import { withOperator } from './operator.ts';
import { isoTime, print } from './print.ts';
import { MissingError } from './usage.ts';

type LeftoverOptions = { dismiss?: string; json?: boolean };

/** `tollgate processors leftovers`: what a processor still has of cards that are gone here. */
export async function leftovers({ dismiss, json }: LeftoverOptions): Promise<void> {
  if (dismiss !== undefined) return dismissOne(dismiss, json);
  const found = await withConnection(({ client }) => findShown(client));
  const lines = found.map(
    ({ id, processor_account, processor_customer, state, since, account, mode }) =>
      `${id}  customer ${processor_customer} at ${processor_account}, ${account}, ${mode} mode  since ${isoTime(since)}  ${state === 'retrying' ? 'cannot be deleted there so far' : 'not made by Tollgate'}`,
  );
  print(json, found, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

async function findShown(client: Sql) {
  const owners = await findOwners(client);
  const left = await findLeftovers(client);
  return left.map((method) => ({ ...presentLeftover(method), ...ownerShown(owners.get(method.tenant)) }));
}

async function dismissOne(id: string, json: boolean | undefined): Promise<void> {
  const dismissed = await withOperator(async (operator, { client }) => {
    const found = await findAnywhere(client, paymentMethodsTable, id);
    if (found?.left_since == null)
      throw new MissingError(`${id} is not listed; "tollgate processors leftovers" shows what is.`);
    return operator.run<object>('payment_methods.dismiss_leftover', { id, parameters: { tenant: found.tenant } });
  });
  print(json, dismissed, () => `${id} is off the list. The audit log keeps the name of the customer at the processor.`);
}
