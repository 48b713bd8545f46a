import { newId } from '../../../base/id.ts';
import { type Descriptor, listOperation, requireRow, retrieveOperation } from '../../../operations/descriptor.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { apiError } from './errors.ts';
import {
  AdvanceInput,
  DeletedTestClockOutput,
  NewTestClockInput,
  serializeTestClock,
  TestClockOutput,
} from './schema.ts';
import { addTestClock, eraseTestClock, replaceTestClock, testClocksTable } from './store.ts';
import { advanceLimit, type TestClock } from './test_clock.ts';
import { refuseAdvancing } from './time.ts';
import type { ClockWork } from './work.ts';

export const clockDescriptor: Descriptor<TestClock> = {
  resource: 'test_clocks',
  noun: 'test clock',
  prefix: 'clock',
  table: testClocksTable,
  serialize: serializeTestClock,
  output: TestClockOutput,
};
const requireTestClock = requireRow(clockDescriptor);

/** The clock that a parameter names; refused while it advances. */
export async function requireReadyClock(context: Context, id: string, param: string): Promise<TestClock> {
  const clock = await requireTestClock(context, id, param);
  refuseAdvancing(clock, param);
  return clock;
}

/** Refuses everything about clocks in live mode. */
export function refuseLive(mode: Context['mode'], param?: string): void {
  if (mode === 'live') throw apiError('test_mode_only', { what: 'Test clocks', param });
}

const create = operation({
  name: 'test_clocks.create',
  summary: 'Create a test clock',
  description:
    'The clock stands still until it is advanced. Customers that are created with it live in its time. Test clocks exist in test mode only.',
  route: 'POST /test_clocks',
  input: NewTestClockInput,
  output: TestClockOutput,
  async run({ tenant, now }, { frozen_time, name }) {
    const clock: TestClock = {
      tenant,
      id: newId('clock', now),
      version: 1,
      name: name ?? null,
      frozen_time: new Date(frozen_time * 1_000),
      target: null,
      status: 'ready',
      due_at: null,
      lease_until: null,
    };
    return { result: serializeTestClock(clock), objectId: clock.id, writes: [addTestClock(clock)] };
  },
});

const advance = operation({
  name: 'test_clocks.advance',
  summary: 'Advance a test clock',
  description:
    'Answers immediately, with the status `advancing`. Everything that is due up to then happens, in the order of its time. At the end the clock is `ready`, and the event `test_clock.ready` is created. Until then its customers, and what is theirs, cannot be changed.',
  route: 'POST /test_clocks/:id/advance',
  input: AdvanceInput,
  output: TestClockOutput,
  errors: apiError.codes('clock_not_ready'),
  async run(context, { frozen_time }) {
    const before = await requireReadyClock(context, context.id, 'id');
    const target = new Date(frozen_time * 1_000);
    refuseUnreachable(before, target);
    const work = { status: 'advancing', target, due_at: new Date(context.now), lease_until: null } as const;
    const after: TestClock = { ...before, version: before.version + 1, ...work };
    return {
      result: serializeTestClock(after),
      objectId: after.id,
      writes: [replaceTestClock(after)],
      due: context.now,
    };
  },
});

function refuseUnreachable(clock: TestClock, target: Date): void {
  const refused = (reason: string) => apiError('parameter_invalid', { param: 'frozen_time', reason });
  if (target <= clock.frozen_time)
    throw refused(`it must be later than the clock, which is at ${clock.frozen_time.getTime() / 1_000}`);
  const limit = advanceLimit(clock);
  if (target > limit)
    throw refused(`a clock is advanced by ten years at most, which is up to ${limit.getTime() / 1_000}`);
}

const remove = (works: readonly ClockWork[]) =>
  operation({
    name: 'test_clocks.delete',
    summary: 'Delete a test clock with its customers',
    description:
      'Deletes its customers too, with their subscriptions, invoices and invoice items. Payments stay. The clock is deleted immediately, and its customers a moment later.',
    route: 'DELETE /test_clocks/:id',
    output: DeletedTestClockOutput,
    errors: apiError.codes('clock_not_ready'),
    async run(context) {
      const clock = await requireReadyClock(context, context.id, 'id');
      const result = { id: clock.id, object: 'test_clock', deleted: true };
      const also = await Promise.all(works.map((work) => work.deleted?.(context, clock.tenant, clock.id) ?? []));
      const writes = [...eraseTestClock(clock, context.now), ...also.flat()];
      return { result, objectId: clock.id, writes, due: context.now };
    },
  });

/** The operation, refused in live mode before anything is read. */
function inTestMode(offered: AnyOperation): AnyOperation {
  const errors = [...(offered.errors ?? []), ...apiError.codes('test_mode_only')];
  return { ...offered, errors, check: (_input, { mode }) => refuseLive(mode) };
}

export function testClockOperations(works: readonly ClockWork[]): AnyOperation[] {
  const all = [create, retrieveOperation(clockDescriptor), advance, remove(works), listOperation(clockDescriptor)];
  return all.map(inTestMode);
}
