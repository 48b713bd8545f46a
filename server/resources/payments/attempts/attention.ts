import type { Table } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Attention, AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import type { Subject } from './subject.ts';

/** A setup has no money. */
type Flagged = Subject & { amount?: number; currency?: string };

/** The objects of a table that are flagged: there was no final answer of the processor for days. */
export function flaggedOutcomes<Row extends Flagged>(
  object: 'payment' | 'refund' | 'dispute' | 'setup',
  table: Pick<Table<Row>, 'name' | 'columns'>,
): AttentionSource {
  return {
    kind: 'unknown_outcome',
    about:
      'the processor has given no final answer for 3 days (refunds and disputes: 14), or has captured what cannot be recorded',
    // A setup is a part of its payment method.
    scope: object === 'setup' ? 'payment_methods:read' : `${object}s:read`,
    right: 'change',
    operations: ['payments.cancel', 'setups.cancel'],
    objects: [object],
    async find(reads, tenant, limit) {
      return (await findFlaggedOf(reads, tenant, table, limit)).map((row) => attentionTo(object, row));
    },
  };
}

type FlaggedRow = Pick<Flagged, 'id' | 'status'> & {
  amount: number | null;
  currency: string | null;
  flagged_at: Date;
  /** Of the last attempt on a payment. */
  decline_code: string | null;
};

function findFlaggedOf<Row extends Flagged>(
  reads: Reads,
  tenant: Tenant,
  { name, columns }: Pick<Table<Row>, 'name' | 'columns'>,
  limit: number,
): Promise<FlaggedRow[]> {
  const money = (columns as readonly string[]).includes('amount')
    ? 'amount, currency'
    : 'null as amount, null as currency';
  return reads.rows<FlaggedRow>(
    `select id, status, ${money}, flagged_at,
            (select a.decline_code from attempts a where a.tenant = flagged.tenant and a.payment = flagged.id
              order by a.id desc limit 1) as decline_code
       from ${name} flagged
      where tenant = $1 and flagged_at is not null order by flagged_at, id limit $2`,
    [tenant, limit],
  );
}

function attentionTo(object: string, row: FlaggedRow): Attention {
  const { id, status, amount, currency, flagged_at, decline_code } = row;
  const money = amount === null || currency === null ? {} : { amount, currency };
  const about = { id, object, since: timestampOf(flagged_at), ...money };
  if (decline_code === 'already_captured')
    return {
      ...about,
      reason: `The ${object} was captured at the processor, and this cannot be recorded. Nothing is given back.`,
      action: `Ask the processor what was captured, and give back there what is not yours. Then the operator records the outcome: tollgate payments settle ${id} --as <status>`,
    };
  // An expired payment whose cancel the processor refuses, or whose challenge it does not report on, has no open attempt.
  if (status === 'requires_action' || status === 'requires_capture')
    return {
      ...about,
      reason: `The ${object} has expired, and the processor does not release it.`,
      action: 'Ask the processor to release it, or cancel it.',
      operation: object === 'setup' ? 'setups.cancel' : 'payments.cancel',
    };
  return {
    ...about,
    reason: 'The processor has given no final answer.',
    action: `Ask the processor for the outcome. The operator records it: tollgate payments settle ${id} --as <status>`,
  };
}
