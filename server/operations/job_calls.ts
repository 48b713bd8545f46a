import type { Tenant } from '../base/reads.ts';
import type { Call, Once } from './executor.ts';
import type { Outcome } from './operation.ts';
import type { Declared, JobServices } from './resource.ts';
import { modeOf } from './tenants.ts';

/** The operation that a job runs, on which object of whom. */
export type JobCall = Pick<Call, 'id'> & {
  tenant: Tenant;
  operation: string;
  parameters?: Call['parameters'];
  clock?: Call['clock'] | undefined;
  once?: Once<never>;
};

/** Every decision is guarded by the rows that it was based on, so a call that is repeated finds nothing left to do. */
const guarded: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

/** Runs operations for a job, as a request would. */
export function jobCalls(
  { executor, reads }: Pick<JobServices, 'executor' | 'reads'>,
  declared: Declared,
  name: string,
) {
  return async ({ tenant, operation, id, parameters = {}, clock, once = guarded }: JobCall): Promise<Outcome> => {
    const mode = await modeOf(reads, tenant);
    return executor.change(
      {
        operation: declared.operation(operation),
        caller: { kind: 'job', tenant, mode, name },
        id,
        requestId: null,
        parameters,
        ...(clock && { clock }),
      },
      once,
    );
  };
}
