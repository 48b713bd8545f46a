import { accountOf } from '../resources/accounts/tenants.ts';
import { findAnywhere, findFlagged } from '../resources/attempts/subject.ts';
import { presentPayment } from '../resources/payments/payment.ts';
import { paymentsTable } from '../resources/payments/store.ts';
import { presentRefund } from '../resources/refunds/refund.ts';
import { refundsTable } from '../resources/refunds/store.ts';
import { withConnection } from './context.ts';
import { withOperator } from './operator.ts';
import { print } from './print.ts';
import { UsageError } from './usage.ts';

export async function unsettled(options: { json?: boolean }): Promise<void> {
  const { payments, refunds } = await withConnection(async ({ client }) => ({
    payments: await findFlagged(client, paymentsTable),
    refunds: await findFlagged(client, refundsTable),
  }));
  const lines = [...payments, ...refunds].map(
    ({ id, amount, currency, flagged_at }) => `${id}  ${amount} ${currency}  since ${flagged_at!.toISOString()}`,
  );
  const shown = [...payments.map(presentPayment), ...refunds.map(presentRefund)];
  print(options.json, shown, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

/** Records the outcome of a payment or refund that the operator has learned from the processor in person. */
export async function settlePayment(
  id: string,
  options: { as: string; correct?: boolean; json?: boolean },
): Promise<void> {
  const isRefund = id.startsWith('re_');
  const kind = isRefund ? 'refund' : 'payment';
  const settled = await withOperator(async (operator, { client }) => {
    const found = await (isRefund ? findAnywhere(client, refundsTable, id) : findAnywhere(client, paymentsTable, id));
    if (found === undefined) throw new UsageError(`There is no ${kind} ${id}.`);
    const { account, mode } = await accountOf(client, found.tenant);
    const parameters = { as: options.as, ...(options.correct ? { correct: true } : {}) };
    return operator.run<{ status: string }>(`${kind}s.settle`, { account, mode, id, parameters });
  });
  print(options.json, settled, () => `${id} is ${settled.status}.`);
}
