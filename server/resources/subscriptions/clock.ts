import { dueByClock } from '../test_clocks/due_by_clock.ts';
import { advanceName } from './advance.ts';
import { earliestDue, findDueBy, findOverIn, hasAnyIn, priceRows, removeSubscription } from './store.ts';

const removedMax = 100; // in one commit

/** Subscriptions under a test clock. They go with a deleted clock. */
export const subscriptionsOfClocks = dueByClock({
  duty: 'subscriptions',
  operation: advanceName,
  earliest: earliestDue,
  find: findDueBy,
  async release({ reads, committer }, _declared, { tenant, id }) {
    const over = await findOverIn(reads, tenant, id, removedMax);
    const writes = over.flatMap((one) => [removeSubscription(one), ...priceRows(one, undefined)]);
    if (writes.length > 0) await committer.commit({ writes });
    return !(await hasAnyIn(reads, tenant, id));
  },
});
