import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../base/id.ts';
import { startServer, type TestAccount, type TestServer, testMasterKey } from '../harness.ts';
import { type Environment, type Finished, patienceMs, testMs } from './child.ts';
import { Children } from './children.ts';

vi.setConfig({ testTimeout: testMs });

const children = new Children();
const home = children.directory();
let server: TestServer;
let account: TestAccount;
let environment: Environment;

beforeAll(async () => {
  server = await startServer({ environment: { SIMULATOR: 'remote' } });
  account = await server.account();
  await server.gateway.worker.stop(); // it would inquire by itself after five seconds
  environment = { DATABASE_URL: server.databaseUrl, TOLLGATE_VAULT_KEY: testMasterKey };
});
afterAll(async () => {
  await children.cleanUp();
  await server.stop();
});

function tollgate(...args: string[]): Promise<Finished> {
  return children.run(args, { cwd: home, environment });
}

async function newMethod(): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  return (await account.test.post('/v1/payment_methods', { type: 'card', card })).json.id;
}

/** A payment whose processor does not answer a verb. */
async function unanswered(verb: 'authorize' | 'capture' | 'cancel', body: object = {}): Promise<string> {
  const fault = 'insert into simulator_faults (verb, kind, remaining) values ($1, $2, 1)';
  if (verb === 'authorize') await server.sql.query(fault, ['authorize', 'lose_reply']);
  const wish = { amount: 700, currency: 'eur', payment_method: await newMethod(), ...body };
  const { id } = (await account.test.post('/v1/payments', wish)).json;
  if (verb !== 'authorize') {
    await server.sql.query(fault, [verb, 'lose_reply']);
    await account.test.post(`/v1/payments/${id}/${verb}`);
  }
  expect((await account.test.get(`/v1/payments/${id}`)).json.status).toBe('processing');
  await deadlinePassed(id);
  // The worker would soon inquire and settle it: here a person has to.
  await server.sql.query('update payments set due_at = null, flagged_at = now() where id = $1', [id]);
  return id;
}

async function unansweredRefund(): Promise<{ id: string; payment: string }> {
  const wish = { amount: 700, currency: 'eur', payment_method: await newMethod() };
  const { id: payment } = (await account.test.post('/v1/payments', wish)).json;
  await server.sql.query(`insert into simulator_faults (verb, kind, remaining) values ('refund', 'lose_reply', 1)`);
  const { id, status } = (await account.test.post('/v1/refunds', { payment, amount: 300 })).json;
  expect(status).toBe('pending');
  return { id, payment };
}

/** A dispute that is flagged, because its processor has not answered to the evidence. */
async function unansweredDispute(): Promise<string> {
  const wish = { amount: 700, currency: 'eur', payment_method: await newMethod() };
  const { id: payment } = (await account.test.post('/v1/payments', wish)).json;
  const [id, attempt] = [newId('dp', Date.now()), newId('att', Date.now())];
  await server.sql.query(
    `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count,
                           connector, reference, open_attempt, inquiries, flagged_at, due_at)
     select tenant, $2, 1, id, amount, currency, 'fraudulent', 'needs_response', '{"uncategorized_text":"No."}', now(), 0,
            'simulator', $2, $3, 9, now(), now() + interval '1 hour' from payments where id = $1`,
    [payment, id, attempt],
  );
  await server.sql.query(
    `insert into attempts (tenant, id, version, payment, dispute, verb, state, connector, deadline_at)
     select tenant, $3, 1, id, $2, 'contest', 'unknown', 'simulator', now() - interval '15 days' from payments where id = $1`,
    [payment, id, attempt],
  );
  return id;
}

/** As if the deadline of the call had passed. */
async function deadlinePassed(payment: string): Promise<void> {
  await server.sql.query(`update attempts set deadline_at = now() - interval '1 second' where payment = $1`, [payment]);
}

const twoHoursAhead = '--import data:text/javascript,const%20now=Date.now;Date.now=()=>now()+7200000';

const manual = { capture_method: 'manual' };

describe('tollgate payments settle', () => {
  const cases: [string, 'authorize' | 'capture' | 'cancel', object, string, object][] = [
    ['a charge', 'authorize', {}, 'succeeded', { amount_received: 700 }],
    ['a charge', 'authorize', {}, 'failed', { amount_received: 0, failure_code: 'processing_error' }],
    ['an authorization', 'authorize', manual, 'requires_capture', { amount_received: 0, amount_capturable: 700 }],
    ['an authorization', 'authorize', manual, 'failed', { failure_code: 'processing_error' }],
    ['a capture', 'capture', manual, 'succeeded', { amount_received: 700 }],
    ['a capture', 'capture', manual, 'failed', { amount_received: 0 }],
    ['a cancellation', 'cancel', manual, 'canceled', { amount_received: 0, canceled_at: expect.any(Number) }],
    ['a cancellation', 'cancel', manual, 'requires_capture', { amount_capturable: 700 }],
  ];
  test.each(cases)('settles %s (%s, %o) as %s', async (_, verb, body, status, shown) => {
    const id = await unanswered(verb, body);
    const done = await tollgate('payments', 'settle', id, '--as', status);
    expect([done.code, done.stdout, done.stderr]).toEqual([0, `${id} is ${status}.\n`, '']);
    expect((await account.test.get(`/v1/payments/${id}`)).json).toMatchObject({ status, ...shown });
    const audit = await server.sql.query('select action, account, details from audit where subject = $1', [id]);
    expect(audit.rows).toEqual([
      { action: 'payment.settle', account: account.id, details: expect.objectContaining({ to: status, verb }) },
    ]);
    const events = await server.sql.query('select type from events where object_id = $1 order by object_version', [id]);
    expect(events.rows.at(-1).type).toBe(`payment.${status}`);
    const { rows } = await server.sql.query('select open_attempt, flagged_at from payments where id = $1', [id]);
    expect(rows).toEqual([{ open_attempt: null, flagged_at: null }]);
  });

  test('settles an expired authorization as canceled after the processor had refused to release it', async () => {
    const wish = { amount: 700, currency: 'eur', payment_method: await newMethod(), ...manual };
    const { id } = (await account.test.post('/v1/payments', wish)).json;
    await server.sql.query(`update attempts set reference = 'sim_of_somebody_else' where payment = $1`, [id]);
    await account.test.post(`/v1/payments/${id}/cancel`); // refused
    await deadlinePassed(id);
    await server.sql.query(
      `update payments set due_at = null, flagged_at = now(), expires_at = now() - interval '4 days' where id = $1`,
      [id],
    );
    const wrong = await tollgate('payments', 'settle', id, '--as', 'failed');
    expect(wrong.stderr).toBe(`${id} can be settled as canceled or requires_capture, not as failed.\n`);
    const done = await tollgate('payments', 'settle', id, '--as', 'canceled');
    expect([done.code, done.stdout, done.stderr]).toEqual([0, `${id} is canceled.\n`, '']);
    expect((await account.test.get(`/v1/payments/${id}`)).json).toMatchObject({
      status: 'canceled',
      amount_received: 0,
    });
    expect((await tollgate('payments', 'unsettled')).stdout).not.toContain(id);
  });

  test('accepts only possible outcomes, and changes nothing otherwise', async () => {
    const id = await unanswered('authorize');
    const done = await tollgate('payments', 'settle', id, '--as', 'canceled');
    expect(done.code).toBe(3);
    expect(done.stderr).toContain(`${id} can be settled as succeeded or failed, not as canceled.`);
    expect((await account.test.get(`/v1/payments/${id}`)).json.status).toBe('processing');
  });

  test('refuses a payment that is settled, and one that does not exist', async () => {
    const wish = { amount: 1, currency: 'eur', payment_method: await newMethod() };
    const { id } = (await account.test.post('/v1/payments', wish)).json;
    const settled = await tollgate('payments', 'settle', id, '--as', 'failed');
    expect(settled).toMatchObject({ code: 3, stderr: `${id} is succeeded: there is nothing to settle.\n` });
    const missing = await tollgate('payments', 'settle', 'py_nothing', '--as', 'failed');
    expect(missing).toMatchObject({ code: 3, stderr: 'There is no payment py_nothing.\n' });
  });

  test.each([
    {
      as: 'succeeded',
      refunded: 300,
      types: ['refund.created', 'refund.updated'],
      kinds: ['refund', 'refund_settled'],
    },
    { as: 'failed', refunded: 0, types: ['refund.created', 'refund.failed'], kinds: ['refund', 'refund_failure'] },
  ])('settles a refund as $as', async ({ as, refunded, types, kinds }) => {
    const { id, payment } = await unansweredRefund();
    await deadlinePassed(payment);
    await server.sql.query('update refunds set due_at = null, flagged_at = now() where id = $1', [id]);
    expect((await tollgate('payments', 'unsettled')).stdout).toContain(`${id}  300 eur  since `);
    const wrong = await tollgate('payments', 'settle', id, '--as', 'canceled');
    expect(wrong.stderr).toBe(`${id} can be settled as succeeded or failed, not as canceled.\n`);
    const done = await tollgate('payments', 'settle', id, '--as', as);
    expect([done.code, done.stdout, done.stderr]).toEqual([0, `${id} is ${as}.\n`, '']);
    expect((await account.test.get(`/v1/refunds/${id}`)).json.status).toBe(as);
    expect((await account.test.get(`/v1/payments/${payment}`)).json.amount_refunded).toBe(refunded);
    const told = await server.sql.query('select type from events where object_id = $1 order by object_version', [id]);
    expect(told.rows.map(({ type }) => type)).toEqual(types);
    const posted = await server.sql.query('select kind from postings where source = $1 order by kind', [id]);
    expect(posted.rows.map(({ kind }) => kind)).toEqual(kinds);
    const audit = await server.sql.query('select action, details from audit where subject = $1', [id]);
    const details = { from: 'pending', to: as, verb: 'refund', attempt: expect.stringMatching(/^att_/) };
    expect(audit.rows).toEqual([{ action: 'refund.settle', details }]);
    const again = await tollgate('payments', 'settle', id, '--as', as);
    expect(again.stderr).toBe(`${id} is ${as}: there is nothing to settle.\n`);
    expect((await tollgate('payments', 'unsettled')).stdout).not.toContain(id);
  });

  test('replaces a settlement that was wrong', async () => {
    const id = await unanswered('authorize');
    expect((await tollgate('payments', 'settle', id, '--as', 'failed')).code).toBe(0);
    const done = await tollgate('payments', 'settle', id, '--as', 'succeeded', '--correct');
    expect([done.code, done.stdout, done.stderr]).toEqual([0, `${id} is succeeded.\n`, '']);
    const audit = await server.sql.query('select action, actor, details from audit where subject = $1 order by id', [
      id,
    ]);
    expect(audit.rows[1]).toMatchObject({
      action: 'payment.correct',
      actor: expect.stringContaining('command line'),
      details: { from: 'failed', to: 'succeeded' },
    });
  });

  test('refuses a payment whose call may still be answered, whatever the clock of the operator says', async () => {
    const { id, payment } = await unansweredRefund();
    const charge = await unanswered('authorize');
    const ahead = `update attempts set deadline_at = now() + interval '1 hour' where payment = any($1)`;
    await server.sql.query(ahead, [[payment, charge]]);
    for (const [one, path, status] of [
      [id, 'refunds', 'pending'],
      [charge, 'payments', 'processing'],
    ] as const) {
      const stderr = `${one} is at the processor at this moment. Wait a minute and look again.\n`;
      const args = ['payments', 'settle', one, '--as', 'failed'];
      const run = children.run(args, { cwd: home, environment: { ...environment, NODE_OPTIONS: twoHoursAhead } });
      expect(await run).toMatchObject({ code: 3, stderr });
      expect((await account.test.get(`/v1/${path}/${one}`)).json.status).toBe(status);
    }
  });

  test('settles a dispute whose submission the processor has accepted or refused', async () => {
    for (const [as, status, count] of [
      ['refused', 'needs_response', 0],
      ['accepted', 'under_review', 1],
    ] as const) {
      const id = await unansweredDispute();
      const wrong = await tollgate('payments', 'settle', id, '--as', 'won');
      expect(wrong.stderr).toBe(`${id} can be settled as accepted or refused, not as won.\n`);
      const done = await tollgate('payments', 'settle', id, '--as', as);
      expect([done.code, done.stdout, done.stderr]).toEqual([0, `${id} is ${status}.\n`, '']);
      const { rows } = await server.sql.query(
        'select status, submission_count, open_attempt, flagged_at from disputes where id = $1',
        [id],
      );
      expect(rows).toEqual([{ status, submission_count: count, open_attempt: null, flagged_at: null }]);
      const audit = await server.sql.query('select action, details from audit where subject = $1', [id]);
      expect(audit.rows).toMatchObject([{ action: 'dispute.settle', details: { to: status, verb: 'contest' } }]);
      const corrected = await tollgate('payments', 'settle', id, '--as', as, '--correct');
      const instead = 'if the processor lacks the evidence, the merchant can submit it again until it is due';
      const stderr = `${id} is a dispute, which has no correction: ${instead}; the processor reports how the dispute ends.\n`;
      expect(corrected).toMatchObject({ code: 3, stdout: '', stderr });
    }
  });

  test('corrects no dispute that has ended', async () => {
    const id = await unansweredDispute();
    await server.sql.query(`update attempts set verb = 'concede' where dispute = $1`, [id]);
    expect((await tollgate('payments', 'settle', id, '--as', 'accepted')).stdout).toBe(`${id} is lost.\n`);
    const corrected = await tollgate('payments', 'settle', id, '--as', 'refused', '--correct');
    const stderr = `${id} is lost, which is final: ask the processor whether it agrees, and compare the books.\n`;
    expect(corrected).toMatchObject({ code: 3, stdout: '', stderr });
  });

  test('the list shows what needs a person: payments, refunds and disputes', async () => {
    const id = await unanswered('authorize');
    const refund = await unansweredRefund();
    await server.sql.query('update refunds set flagged_at = now() where id = $1', [refund.id]);
    const dispute = await unansweredDispute();
    const { stdout } = await tollgate('payments', 'unsettled');
    expect(stdout).toContain(`${id}  700 eur  since `);
    expect(stdout).toMatch(new RegExp(`${dispute}  700 eur  since \\S+  ask the processor`));
    const listed = await children.json(['payments', 'unsettled'], { cwd: home, environment });
    const found = (one: string) => listed.find((item: { id: string }) => item.id === one);
    const shared = { account: account.id, mode: 'test', since: expect.any(Number) };
    expect(found(id)).toEqual({
      ...{ id, object: 'payment', amount: 700, currency: 'eur', ...shared },
      action: `ask the processor for the outcome, and record it: tollgate payments settle ${id} --as <status>`,
    });
    expect(found(refund.id)).toMatchObject({ object: 'refund', amount: 300, ...shared });
    expect(found(dispute)).toMatchObject({ object: 'dispute', amount: 700, ...shared });
  });
});

describe('tollgate notices', () => {
  async function keptNotice(tenant?: number): Promise<string> {
    const id = newId('ntc', Date.now());
    await server.sql.query(
      `insert into notices (tenant, id, version, connector, event_id, reported, reason, failures, flagged_at, due_at)
       select coalesce($2, tenant), $1, 1, 'simulator', $1, '[{"kind":"dispute_closed"}]', 'it cannot be', 6, now(),
              now() + interval '1 hour' from tenants where account = $3 and mode = 'test'`,
      [id, tenant ?? null, account.id],
    );
    return id;
  }

  test('are listed, retried and dismissed, also those of an account that does not exist', async () => {
    const [id, stray] = [await keptNotice(), await keptNotice(999_999)];
    const { stdout } = await tollgate('notices', 'list');
    expect(stdout).toContain(`${id}  dispute_closed of simulator, ${account.id}, test mode  event ${id}  since `);
    expect(stdout).toMatch(
      new RegExp(
        `${stray}  dispute_closed of simulator, no account  event ${stray}  since \\S+  failed 6 times: it cannot be`,
      ),
    );
    const listed = await children.json(['notices', 'list'], { cwd: home, environment });
    expect(listed).toMatchObject([
      {
        id,
        account: account.id,
        mode: 'test',
        failures: 6,
        reason: 'it cannot be',
        reported: [{ kind: 'dispute_closed' }],
      },
      { id: stray },
    ]);
    expect(listed[1]).not.toHaveProperty('account');
    expect((await tollgate('payments', 'unsettled')).stdout).toMatch(
      new RegExp(`${id}  notice  since \\S+  dispute_closed`),
    );
    expect((await tollgate('notices', 'retry', id)).stdout).toContain(`${id} is tried again now`);
    const { rows } = await server.sql.query('select due_at <= now() as due from notices where id = $1', [id]);
    expect(rows).toEqual([{ due: true }]);
    expect((await tollgate('notices', 'dismiss', stray)).stdout).toContain(`${stray} is dismissed.`);
    const again = await tollgate('notices', 'dismiss', stray);
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining(`There is no notice ${stray}`) });
    const audit = await server.sql.query(
      'select action, actor, details from audit where subject = any($1) order by id',
      [[id, stray]],
    );
    expect(audit.rows).toMatchObject([
      { action: 'notice.retry', actor: expect.stringContaining('command line') },
      { action: 'notice.dismiss', details: { tenant: 999_999, reported: [{ kind: 'dispute_closed' }] } },
    ]);
    await server.sql.query('truncate notices');
  });

  test('of a processor account are replayed: since a moment, or one event', async () => {
    const processor = newId('pa', Date.now());
    await server.sql.query(
      `insert into processor_accounts (tenant, id, version, connector, name, enabled, settings, secret)
       select tenant, $1, 1, 'simulator', 'Shop', false, '{}', 'none' from tenants where account = $2 and mode = 'test'`,
      [processor, account.id],
    );
    await server.sql.query(
      `insert into notices (tenant, id, version, connector, processor_account, event_id, reported, failures)
       select tenant, x.id, 1, 'simulator', $1, x.event, '[]', 0 from processor_accounts,
              unnest($2::text[], $3::text[]) as x (id, event) where processor_accounts.id = $1`,
      [processor, [newId('ntc', Date.now() - 7_200_000), newId('ntc', Date.now())], ['evt_1', 'evt_2']],
    );
    const replay = (...options: string[]) => tollgate('processors', 'replay', processor, ...options);
    expect(await replay('--since', '1h')).toMatchObject({
      ...{ stdout: '1 stored notice is handled once more by a running server.\n', stderr: '' },
    });
    expect((await replay('--event', 'evt_1', '--json')).stdout).toContain('"replayed":1');
    expect(await replay('--since', 'now')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('--since takes a span such as') },
    });
    const unknown = `pa_${'0'.repeat(22)}`;
    expect(await tollgate('processors', 'replay', unknown)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('No such'),
    });
    const audit = await server.sql.query('select action from audit where subject = $1', [processor]);
    expect(audit.rows).toEqual([{ action: 'notices.replay' }, { action: 'notices.replay' }]);
    await server.sql.query('truncate notices');
  });
});

describe('tollgate vault rotate', () => {
  test('when it is killed while it waits, the next run finishes it, and every card can still be charged', async () => {
    const methods = [await newMethod(), await newMethod()];
    const run = children.tollgate(['vault', 'rotate'], { cwd: home, environment });
    await run.prints(/Waiting \d+ s/, patienceMs);
    await run.stop('SIGKILL');
    methods.push(await newMethod());
    // As if the minute had passed after which no server uses the old keys.
    await server.sql.query(`update vault_keys set created_at = created_at - interval '1 hour'`);
    const done = await tollgate('vault', 'rotate');
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('An earlier rotation did not finish.');
    expect(done.stdout).toMatch(/Old keys destroyed +1\n/);
    const { rows } = await server.sql.query('select distinct key_version from vault_cards');
    expect(rows).toEqual([{ key_version: 2 }]);
    for (const payment_method of methods)
      expect((await account.test.post('/v1/payments', { amount: 1, currency: 'eur', payment_method })).status).toBe(
        200,
      );
    const audit = await server.sql.query(`select details from audit where action = 'vault.rotate'`);
    expect(audit.rows).toEqual([{ details: expect.objectContaining({ resumed: true, keys_destroyed: 1 }) }]);
  });
});
