import type { Outstanding } from '../../../../operations/extension_points/outstanding.ts';

/** What is not delivered after ten attempts, or to an endpoint that is disabled, is not counted: nothing happens to it any more. */
export const outstandingDeliveries: Outstanding = {
  kind: 'webhooks_undelivered',
  fate: 'are sent until they are delivered, at most ten times each',
  async count(reads, tenant) {
    const [row] = await reads.rows<{ count: number }>(
      'select count(*) as count from deliveries where tenant = $1 and due_at is not null',
      [tenant],
    );
    return row!.count;
  },
};
