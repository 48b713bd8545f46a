import { dueByClock } from '../test_clocks/due_by_clock.ts';
import { collectName } from './collect_due.ts';
import { earliestDue, findDueBy, findOverIn, hasAnyIn, removeInvoice } from './store.ts';

const removedMax = 200; // in one commit

/** Invoices under a test clock. They go with a deleted clock, once their payments are over. */
export const invoicesOfClocks = dueByClock({
  duty: 'invoices',
  operation: collectName,
  earliest: earliestDue,
  find: findDueBy,
  async release({ reads, committer }, _declared, { tenant, id }) {
    const over = await findOverIn(reads, tenant, id, removedMax);
    if (over.length > 0) await committer.commit({ writes: over.map(removeInvoice) });
    return !(await hasAnyIn(reads, tenant, id));
  },
});
