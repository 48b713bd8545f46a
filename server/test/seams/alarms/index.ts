import { insert, type Table, table, update } from '../../../base/commit/index.ts';
import { type Id, newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import { type Descriptor, requireRow } from '../../../operations/descriptor.ts';
import type { Once } from '../../../operations/executor.ts';
import { operation } from '../../../operations/operation.ts';
import { type Declared, eventsOf, type JobServices, resource } from '../../../operations/resource.ts';
import { Parameters } from '../../../operations/schemas.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { requireCustomer } from '../../../resources/payments/customers/operations.ts';
import { clockCodes } from '../../../resources/payments/test_clocks/errors.ts';
import type { TestClockId } from '../../../resources/payments/test_clocks/test_clock.ts';
import { clockedFor } from '../../../resources/payments/test_clocks/time.ts';
import { type ClockWork, clockWork } from '../../../resources/payments/test_clocks/work.ts';

/** Rings by the test clock of its customer, again and again. */
type Alarm = {
  tenant: Tenant;
  id: Id<'alarm'>;
  version: number;
  customer: string;
  test_clock: TestClockId;
  every_seconds: number;
  rings_left: number;
  clock_due_at: Date | null;
};

const alarmsTable: Table<Alarm> = table('alarms', {
  int4: 'tenant version every_seconds rings_left',
  text: 'id customer test_clock',
  timestamptz: 'clock_due_at',
});
const ringsTable: Table<{ tenant: Tenant; id: string; at: Date }> = table('alarm_rings', {
  int4: 'tenant',
  text: 'id',
  timestamptz: 'at',
  key: ['tenant', 'id', 'at'],
});

const serialize = ({ id, rings_left }: Alarm) => ({ id, object: 'alarm', rings_left });
const alarmEvent = eventsAbout<'alarm.rang', Alarm>(serialize);
const AlarmOutput = Type.Object({ id: Type.String(), object: Type.Literal('alarm'), rings_left: Type.Integer() });
const alarmDescriptor: Descriptor<Alarm> = {
  ...{ resource: 'alarms', noun: 'alarm', prefix: 'alarm', table: alarmsTable, output: AlarmOutput, serialize },
};
const requireAlarm = requireRow(alarmDescriptor);

const create = operation({
  name: 'alarms.create',
  summary: 'Set an alarm',
  route: 'POST /alarms',
  input: Parameters({
    customer: Type.String(),
    after: Type.Integer(),
    every: Type.Integer(),
    rings: Type.Integer(),
  }),
  output: AlarmOutput,
  errors: clockCodes,
  async run(context, { customer: id, after, every, rings }) {
    const customer = await requireCustomer(context, id, 'customer');
    const { now, writes } = await clockedFor(context, customer.test_clock, 'customer');
    const alarm: Alarm = {
      ...{ tenant: context.tenant, id: newId('alarm', context.now), version: 1, customer: customer.id },
      ...{ test_clock: customer.test_clock!, every_seconds: every, rings_left: rings },
      clock_due_at: new Date(now + after * 1_000),
    };
    return { result: serialize(alarm), objectId: alarm.id, writes: [insert(alarmsTable, alarm), ...writes] };
  },
});

const ring = operation({
  name: 'alarms.ring',
  summary: 'Ring an alarm',
  route: 'POST /alarms/:id/ring',
  callers: ['job'],
  output: AlarmOutput,
  async run(context) {
    const before = await requireAlarm(context);
    const { now, writes } = await clockedFor(context, before.test_clock);
    const at = before.clock_due_at!;
    const rings_left = before.rings_left - 1;
    const next = rings_left === 0 ? null : new Date(at.getTime() + before.every_seconds * 1_000);
    const after: Alarm = { ...before, version: before.version + 1, rings_left, clock_due_at: next };
    const rung = insert(ringsTable, { tenant: before.tenant, id: before.id, at: new Date(now) });
    return {
      result: serialize(after),
      objectId: after.id,
      writes: [update(alarmsTable, after), rung, ...writes],
      events: [alarmEvent('alarm.rang', after)],
    };
  },
});

const due = 'from alarms where tenant = $1 and test_clock = $2 and clock_due_at <= $3';
const perRun = 64;

/** The row is guarded: what another process has rung is no longer due. */
const guarded: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

const alarmWork: ClockWork = {
  async earliest({ reads }, tenant, clock, upTo) {
    const [row] = await reads.rows<{ at: Date | null }>(`select min(clock_due_at) as at ${due}`, [tenant, clock, upTo]);
    return row?.at ?? undefined;
  },
  async run(services, declared, { tenant, id }, at) {
    const rows = await services.reads.rows<Pick<Alarm, 'id'>>(
      `select id ${due} order by clock_due_at limit ${perRun}`,
      [tenant, id, at],
    );
    await Promise.all(rows.map((alarm) => ringOne(services, declared, { tenant, ...alarm }, { id, now: at })));
  },
};

async function ringOne(
  { executor }: JobServices,
  declared: Declared,
  { tenant, id }: Pick<Alarm, 'tenant' | 'id'>,
  clock: { id: TestClockId; now: Date },
): Promise<void> {
  const caller = { kind: 'job', tenant, mode: 'test', name: 'alarms' } as const;
  const call = { operation: declared.operation('alarms.ring'), caller, id, requestId: null, parameters: {} };
  const { error } = await executor.change({ ...call, clock: { id: clock.id, now: clock.now.getTime() } }, guarded);
  if (error !== undefined) throw error;
}

export const alarms = resource({
  name: 'alarms',
  scopes: ['alarms'],
  events: eventsOf({ 'alarm.rang': 'An alarm rang.' }, AlarmOutput),
  operations: [create, ring],
  extensions: [clockWork.with(alarmWork)],
});
