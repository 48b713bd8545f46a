import type { Shop } from '../payments/payments.fixture.ts';

/** What stands on the accounts of the ledger because of one payment: debits less credits, those with nothing left out. */
export async function booksOf(shop: Shop, payment: string): Promise<Record<string, number>> {
  const rows = await shop.sql(
    `select account, sum(amount)::int8 as amount from (
       select debit as account, amount from postings where payment = $1
       union all select credit, -amount from postings where payment = $1) x
      group by account having sum(amount) <> 0 or account in ('processor', 'balance')`,
    [payment],
  );
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
}

/** The events of a refund, oldest first. */
export async function refundEvents(
  shop: Shop,
  refund: string,
): Promise<{ type: string; object: object; previous?: object }[]> {
  const rows = await shop.sql(
    `select payload from events where object_id = $1 order by object_version, type = 'refund.created' desc`,
    [refund],
  );
  return rows.map(({ payload }) => {
    const { type, data } = JSON.parse(payload.toString());
    return { type, object: data.object, ...(data.previous_attributes && { previous: data.previous_attributes }) };
  });
}
