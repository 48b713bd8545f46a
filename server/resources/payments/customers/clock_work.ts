import type { Once } from '../../../operations/executor.ts';
import type { ClockWork } from '../test_clocks/work.ts';
import { findCustomersOf } from './store.ts';

/** Deleted in one step with their clock. */
const customersPerStep = 32;

/** A deletion guards the row of its customer. After a conflict it is decided again. */
const guarded: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

/** Nothing becomes due on a customer. When a clock is deleted, its customers are deleted with it, as if by a request each. */
export const customersOfClocks: ClockWork = {
  earliest: async () => undefined,
  run: async () => {},
  async release({ executor, reads }, declared, { tenant, id: clock, now }) {
    const customers = await findCustomersOf(reads, tenant, clock, customersPerStep);
    const operation = declared.operation('customers.delete');
    const caller = { kind: 'job', tenant, mode: 'test', name: 'deleted test clocks' } as const;
    const call = { operation, caller, requestId: null, parameters: {}, clock: { id: clock, now } };
    const outcomes = await Promise.all(customers.map((id) => executor.change({ ...call, id }, guarded)));
    // A request may have deleted one at the same moment.
    const refused = outcomes.find(({ error }) => error !== undefined && error.status !== 404)?.error;
    if (refused !== undefined) throw refused;
    return customers.length < customersPerStep;
  },
};
