import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Court, fraudulentCard, openCourt } from '../disputes/disputes.fixture.ts';

/** A notice that can never be recorded: the database refuses disputes for this reason. */
const refuse = `alter table disputes add constraint refused check (reason <> 'fraudulent') not valid`;
const allow = 'alter table disputes drop constraint refused';

let court: Court;

beforeAll(async () => {
  court = await openCourt('local');
});
afterAll(() => court.stop());

const keptRows = () => court.sql('select * from notices where flagged_at is not null order by id');
const untold = () =>
  court.sql('select 1 from simulator_news where told_at is null and at <= $1', [new Date(court.clock.now())]);
const disputesOf = async (payment: string) =>
  (await court.account.test.get(`/v1/disputes?payment=${payment}`)).json.data as { id: string; status: string }[];

/** A disputed payment whose notice has failed so often that it waits for a person. */
async function failed(): Promise<{ payment: string; kept: { id: string; tenant: number; failures: number } }> {
  await court.sql(refuse);
  const { id: payment } = await court.paid(fraudulentCard);
  await court.settled();
  for (const seconds of [10, 20, 40, 80, 160]) {
    expect(await keptRows()).toEqual([]);
    await court.later(seconds * 1_000);
  }
  const [kept] = await keptRows();
  return { payment, kept };
}

const run = (name: string, { id, tenant }: { id: string; tenant: number }) =>
  court.server.operator.run(name, { id, parameters: { tenant } });

test('a notice that cannot be recorded is kept, the poll goes on, and it is recorded once it can be', async () => {
  const { payment, kept } = await failed();
  expect(kept).toMatchObject({ connector: 'simulator', processor_account: null, failures: 6 });
  expect(kept).toMatchObject({ reason: expect.stringContaining('refused'), reported: [{ kind: 'dispute_opened' }] });
  expect(await untold()).toEqual([]); // it was acknowledged
  const incident = court.server.logged.filter((line) => line.includes('a notice of a processor cannot be recorded'));
  expect(incident).toHaveLength(1);
  expect(JSON.parse(incident[0]!)).toMatchObject({ level: 'error', connector: 'simulator', kind: 'dispute_opened' });

  const other = await court.paid('4000000000002685'); // its reason is another one
  await court.settled();
  expect(await disputesOf(other.id)).toHaveLength(1);

  await court.later(320_000);
  expect(await keptRows()).toMatchObject([{ id: kept.id, failures: 7 }]);
  await court.sql(allow);
  await court.later(640_000);
  expect(await keptRows()).toEqual([]);
  expect(await disputesOf(payment)).toMatchObject([{ status: 'needs_response' }]);
});

test('a person has it retried immediately', async () => {
  const { payment, kept } = await failed();
  await court.sql(allow);
  await court.settled();
  expect(await disputesOf(payment)).toEqual([]); // it is not due yet
  await run('notices.retry', kept);
  await court.settled();
  expect([await keptRows(), await disputesOf(payment)]).toMatchObject([[], [{ status: 'needs_response' }]]);
  const audit = await court.sql('select action, actor, details from audit where subject = $1', [kept.id]);
  expect(audit).toMatchObject([{ action: 'notice.retry', details: { connector: 'simulator', failures: 6 } }]);
});

test('a person dismisses it, and the audit log keeps it', async () => {
  const { payment, kept } = await failed();
  await run('notices.dismiss', kept);
  await court.sql(allow);
  await court.later(3_600_000);
  expect([await keptRows(), await disputesOf(payment)]).toEqual([[], []]);
  const audit = await court.sql('select action, details from audit where subject = $1', [kept.id]);
  expect(audit).toMatchObject([{ action: 'notice.dismiss', details: { reported: [{ kind: 'dispute_opened' }] } }]);
  await expect(run('notices.dismiss', kept)).rejects.toThrow('No such notice');
});
