import { presentPayment } from '../resources/payments/payment.ts';
import { findPaymentById, listFlagged } from '../resources/payments/store.ts';
import { presentRefund } from '../resources/refunds/refund.ts';
import { findRefundById, listFlaggedRefunds } from '../resources/refunds/store.ts';
import { print } from './print.ts';
import { runAsOperator } from './run_as_operator.ts';
import { inTransaction } from './session.ts';
import { UsageError } from './usage.ts';

export async function unsettled(options: { json?: boolean }): Promise<void> {
  const { payments, refunds } = await inTransaction(async ({ client }) => ({
    payments: await listFlagged(client),
    refunds: await listFlaggedRefunds(client),
  }));
  const lines = [...payments, ...refunds].map(
    ({ id, amount, currency, flagged_at }) => `${id}  ${amount} ${currency}  since ${flagged_at!.toISOString()}`,
  );
  const shown = [...payments.map(presentPayment), ...refunds.map(presentRefund)];
  print(options.json, shown, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

/** A person has asked the processor what became of a payment or a refund, and says so. */
export async function settlePayment(id: string, options: { as: string; json?: boolean }): Promise<void> {
  const isRefund = id.startsWith('re_');
  const settled = await inTransaction(async (session) => {
    const found = await (isRefund ? findRefundById : findPaymentById)(session.client, id);
    if (found === undefined) throw new UsageError(`There is no ${isRefund ? 'refund' : 'payment'} ${id}.`);
    const name = isRefund ? 'refunds.settle' : 'payments.settle';
    return runAsOperator(session, { tenant: found.tenant, name, id, parameters: { as: options.as } });
  });
  const { status } = settled as { status: string };
  print(options.json, settled, () => `${id} is ${status}.`);
}
