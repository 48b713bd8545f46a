import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../base/sql.ts';
import type { Client } from '../../../test/client.ts';
import { isDistributedRun } from '../../../test/distributed_databases.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places, shareOfCases } from '../../../test/torture.ts';
import { type Court, dayMs, deadlineMs, lost, openCourt, reversed, taken } from './disputes.fixture.ts';

const numbered = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${from + at}`, 'x']));

describe.each(places)('metadata of a dispute, and a simulator that is %s', (place) => {
  let court: Court;

  beforeAll(async () => {
    court = await openCourt(place);
  });
  afterAll(() => court.stop());

  /** A dispute that has these already. */
  async function noted(metadata: object) {
    const { id } = await court.disputed();
    return (await court.post(id, { metadata })).json;
  }

  const before = { order: 7, team: 'navy' };
  const merges: [what: string, body: object | string, after: object, previous: object | undefined][] = [
    ['a new key', { metadata: { gift: true } }, { ...before, gift: true }, { gift: null }],
    ['a changed key', { metadata: { order: 8 } }, { ...before, order: 8 }, { order: 7 }],
    ['a text in place of a number', { metadata: { order: '7' } }, { ...before, order: '7' }, { order: 7 }],
    ['a key that null removes', { metadata: { team: null } }, { order: 7 }, { team: 'navy' }],
    ['a key that an empty text removes', { metadata: { team: '' } }, { order: 7 }, { team: 'navy' }],
    ['null, which empties it', { metadata: null }, {}, before],
    ['an empty text, which empties it', { metadata: '' }, {}, before],
    ['a form, whose values are texts', 'metadata[team]=&metadata[order]=8', { order: '8' }, { order: 7, team: 'navy' }],
    ['submit that is false', { metadata: { order: 8 }, submit: false }, { ...before, order: 8 }, { order: 7 }],
    [
      'names of fields, which are keys like others',
      { metadata: { status: 'won', version: 9, constructor: 'x' } },
      { ...before, status: 'won', version: 9, constructor: 'x' },
      { status: null, version: null, constructor: null },
    ],
    ['the same', { metadata: before }, before, undefined],
    ['a key that was not there and is removed', { metadata: { none: null, nothing: '' } }, before, undefined],
    ['no key', { metadata: {} }, before, undefined],
  ];
  // How metadata is merged and checked is that of every resource (operations/metadata.test.ts).
  test.each(shareOfCases(merges, 4))(
    '%s: merged key by key, shown, and an event when it is a change',
    async (_, body, after, previous) => {
      const dispute = await noted(before);
      const { id } = dispute;
      const row = await court.disputeRow(id);
      const answer = await court.account.test[typeof body === 'string' ? 'form' : 'post'](
        `/v1/disputes/${id}`,
        body as string,
      );
      expect([answer.status, answer.json]).toEqual([200, { ...dispute, metadata: after }]);
      expect(await court.get(id)).toEqual(answer.json);
      expect((await court.account.test.get(`/v1/disputes?payment=${dispute.payment}`)).json.data).toEqual([
        answer.json,
      ]);
      const changes = previous === undefined ? 0 : 1;
      expect(await court.disputeRow(id)).toEqual({ ...row, version: row.version + changes, metadata: after });
      expect((await court.told(id)).slice(2)).toEqual(
        [{ type: 'dispute.updated', object: answer.json, previous: { metadata: previous } }].slice(0, changes),
      );
      expect(await court.words(id)).toEqual([]);
    },
  );

  test.each([
    ['null', null],
    ['an empty object', {}],
    ['a key that is not there', { none: '' }],
  ])('is not shown before there is a key: %s supplies none', async (_, metadata) => {
    const dispute = await court.disputed();
    expect(dispute).not.toHaveProperty('metadata');
    expect((await court.post(dispute.id, { metadata })).json).toEqual(dispute);
    expect(await court.told(dispute.id)).toHaveLength(1);
  });

  test('is shown from the first key on, and its previous value in the event is null', async () => {
    const dispute = await court.disputed();
    const answer = await court.post(dispute.id, { metadata: { order: 7 } });
    expect([answer.status, answer.json]).toEqual([200, { ...dispute, metadata: { order: 7 } }]);
    expect((await court.told(dispute.id)).at(-1)!.previous).toEqual({ metadata: null });
  });

  const refusals: [what: string, body: object, code: string, param: string][] = [
    ['a list', { metadata: [] }, 'parameter_invalid', 'metadata'],
    ['a text', { metadata: 'x' }, 'parameter_invalid', 'metadata'],
    ['an object as a value', { metadata: { a: { b: 1 } } }, 'metadata_value_invalid', 'metadata.a'],
    ['a key that is too long', { metadata: { ['k'.repeat(41)]: 'x' } }, 'metadata_key_too_long', 'metadata'],
    ['a value that is too long', { metadata: { a: '😀'.repeat(501) } }, 'metadata_value_too_long', 'metadata.a'],
    ['51 keys in one request', { metadata: numbered(51) }, 'metadata_too_many_keys', 'metadata'],
    ['51 keys after the merge', { metadata: numbered(2, 49) }, 'metadata_too_many_keys', 'metadata'],
    ['a misspelt name', { metdata: { a: 1 } }, 'parameter_unknown', 'metdata'],
  ];
  test.each(shareOfCases(refusals, 3))(
    '%s is refused, with evidence too, and nothing of it is kept',
    async (_, body, code, param) => {
      const { id } = await noted(numbered(49));
      const row = await court.disputeRow(id);
      for (const more of [{}, { evidence: { receipt: 'x' } }, { evidence: { receipt: 'x' }, submit: true }]) {
        const { status, json } = await court.post(id, { ...body, ...more });
        expect([status, json.error.code, json.error.param]).toEqual([400, code, param]);
      }
      expect(await court.disputeRow(id)).toEqual(row);
      const full = { metadata: { 'key 0': '', ...numbered(2, 49) } };
      expect(Object.keys((await court.post(id, full)).json.metadata)).toHaveLength(50);
    },
  );

  const ways: [status: string, reach: (id: string) => Promise<unknown>, money: string[], refused?: string][] = [
    ['needs_response', async () => {}, [taken]],
    ['under_review', (id) => court.post(id, { evidence: { receipt: 'x' }, submit: true }), [taken]],
    [
      'won',
      (id) => court.post(id, { evidence: { receipt: 'winning_evidence' }, submit: true }),
      [taken, reversed],
      'dispute_closed',
    ],
    ['lost', (id) => court.post(`${id}/close`), [taken, lost], 'dispute_closed'],
    [
      'under_review, past the time for evidence',
      async (id) => {
        await court.post(id, { evidence: { receipt: 'x' }, submit: true });
        await court.later(8 * dayMs);
      },
      [taken],
      'evidence_past_due',
    ],
  ];
  test.each(ways)(
    'can be changed when the dispute is %s, without asking the processor',
    async (name, reach, money, refused) => {
      const { id } = await noted(before);
      await reach(id);
      await court.settled();
      const [dispute, words] = [await court.get(id), await court.words(id)];
      expect([dispute.status, dispute.metadata]).toEqual([name.split(',')[0], before]);
      const answer = await court.post(id, { metadata: { order: null, kept: true } });
      const changed = { ...dispute, metadata: { team: 'navy', kept: true } };
      expect([answer.status, answer.json]).toEqual([200, changed]);
      expect((await court.told(id)).at(-1)).toEqual({
        ...{ type: 'dispute.updated', object: changed, previous: { metadata: { order: 7, kept: null } } },
      });
      expect(await court.words(id)).toEqual(words);
      expect(await court.postings(id)).toEqual(money);
      if (refused === undefined) return;
      for (const more of [{ evidence: { receipt: 'late' } }, { evidence: null }, { submit: true }]) {
        const { status, json } = await court.post(id, { metadata: { more: 1 }, ...more });
        expect([status, json.error.code]).toEqual([400, refused]);
      }
      expect(await court.get(id)).toEqual(changed); // with evidence it is all or nothing
    },
  );

  test('comes with evidence in one change and one event', async () => {
    const { id } = await court.disputed();
    const { status, json } = await court.post(id, { evidence: { receipt: 'No. 7' }, metadata: { a: 1 } });
    expect([status, json.evidence, json.metadata]).toEqual([200, { receipt: 'No. 7' }, { a: 1 }]);
    expect((await court.told(id)).slice(1)).toEqual([
      {
        ...{ type: 'dispute.updated', object: json },
        previous: { evidence: { receipt: null }, evidence_details: { has_evidence: false }, metadata: null },
      },
    ]);
    expect((await court.disputeRow(id)).version).toBe(2);
  });

  test('with submitted evidence is stored in the same transaction as the evidence, with one event', async () => {
    const { id } = await noted({ a: 1 });
    const { status, json } = await court.post(id, { evidence: { receipt: 'x' }, submit: true, metadata: { a: 2 } });
    expect([status, json.status, json.metadata]).toEqual([200, 'under_review', { a: 2 }]);
    const told = (await court.told(id)).slice(2).map(({ previous }) => previous);
    const kept = { evidence: { receipt: null }, metadata: { a: 1 } };
    const moved = { status: 'needs_response', evidence_details: { submission_count: 0 } };
    const both = { ...kept, ...moved, evidence_details: { has_evidence: false, submission_count: 0 } };
    expect(told).toEqual(place === 'local' ? [both] : [{ ...kept, evidence_details: { has_evidence: false } }, moved]);
    expect(await court.words(id)).toMatchObject([{ verb: 'contest', state: 'approved' }]);
  });

  test('is kept with evidence that the processor refuses, and is not when nothing can be submitted', async () => {
    const { id } = await court.disputed();
    const nothing = await court.post(id, { submit: true, metadata: { a: 1 } });
    expect([nothing.status, nothing.json.error.code]).toEqual([400, 'parameter_missing']);
    expect(await court.get(id)).not.toHaveProperty('metadata');
    const { reference } = await court.disputeRow(id);
    const rename = (name: string) => court.sql('update disputes set reference = $2 where id = $1', [id, name]);
    await rename('sim_dp_that_nobody_knows');
    const refused = await court.post(id, { evidence: { receipt: 'x' }, submit: true, metadata: { a: 2 } });
    expect([refused.status, refused.json.error.code]).toEqual([402, 'processing_error']);
    await rename(reference);
    const { status, evidence, metadata } = await court.get(id);
    expect([status, evidence, metadata]).toEqual(['needs_response', { receipt: 'x' }, { a: 2 }]);
    const [update, ...rest] = (await court.told(id)).slice(1);
    expect(update!.previous).toMatchObject({ evidence: { receipt: null }, metadata: null });
    expect(rest).toEqual([]);
  });

  test('is changed once by a request and its retries', async () => {
    const { id } = await court.disputed();
    const headers = { 'Idempotency-Key': randomUUID() };
    const send = (order: number) => court.post(id, { metadata: { order } }, headers);
    const answers = [await send(7), ...(await Promise.all([send(7), send(7)]))];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await send(8)).json.error.code).toBe('idempotency_key_reused');
    expect(await court.told(id)).toHaveLength(2);
  });

  test('needs the scope to write, and is not accepted by closing', async () => {
    const { id } = await court.disputed();
    const { client } = await court.server.key(court.account.id, { scopes: ['disputes:read'] });
    expect((await client.post(`/v1/disputes/${id}`, { metadata: { a: 1 } })).status).toBe(403);
    const { error } = (await court.post(`${id}/close`, { metadata: { a: 1 } })).json;
    expect([error.code, error.param]).toEqual(['parameter_unknown', 'metadata']);
    expect((await court.get(id)).status).toBe('needs_response');
  });

  test('the books agree with the processor', async () => {
    await court.settled();
    expect(await violationsOf(court.server.sql, { rest: true })).toEqual([]);
  });
});

describe('metadata of a dispute with an open attempt', () => {
  let court: Court;
  let other: TestServer;
  let elsewhere: Client;

  beforeAll(async () => {
    court = await openCourt('remote');
    const environment = { SIMULATOR: 'remote' };
    other = await startServer({ clock: court.clock, environment, databaseUrl: court.server.databaseUrl });
    elsewhere = other.client(court.account.testKey);
  });
  afterAll(async () => {
    await other.stop();
    await court.stop();
  });

  const said = { evidence: { receipt: 'x' }, submit: true };
  const verbs: [verb: string, path: string, body: object, end: string][] = [
    ['contest', '', said, 'under_review'],
    ['concede', '/close', {}, 'lost'],
  ];

  /** Lets the processor do nothing until the returned function is called: its books are locked, which shows on one PostgreSQL alone. */
  async function holdProcessor(): Promise<() => Promise<unknown>> {
    const holder = await connect({ connectionString: court.server.databaseUrl }, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table simulator_entries in share mode');
    return () => holder.query('rollback');
  }

  const untilHeld = () =>
    expect
      .poll(() =>
        court.sql(`select count(*)::int4 from pg_locks where relation = 'simulator_entries'::regclass and not granted`),
      )
      .toEqual([{ count: 1 }]);

  const types = async (id: string) => (await court.told(id)).map(({ type }) => type);

  test.each(verbs)('a %s whose outcome is unknown: the metadata changes immediately, and stays', async (...row) => {
    const [verb, path, body, end] = row;
    const { id } = await court.disputed();
    await court.fault('lose_request', verb);
    expect((await court.post(id + path, body)).status).toBe(200);
    const waiting = await court.disputeRow(id);
    expect(waiting.open_attempt).not.toBeNull();
    const answer = await court.post(id, { metadata: { a: 1 } });
    expect([answer.status, answer.json.status, answer.json.metadata]).toEqual([200, 'needs_response', { a: 1 }]);
    expect(await court.disputeRow(id)).toEqual({ ...waiting, version: waiting.version + 1, metadata: { a: 1 } });
    await court.later(deadlineMs + 5_000);
    const { status, metadata } = await court.get(id);
    expect([status, metadata]).toEqual([end, { a: 1 }]);
    expect(await court.words(id)).toMatchObject([{ verb, state: 'approved' }]);
    expect((await court.told(id)).at(-1)!.object.metadata).toEqual({ a: 1 });
  });

  test('together with evidence it waits for the slot, and neither is lost', async () => {
    const { id } = await court.disputed();
    await court.fault('lose_request', 'contest');
    await court.post(id, { ...said, metadata: { a: 1 } });
    const later = court.post(id, { evidence: { service_date: 'May' }, metadata: { b: 2 } });
    const note = await elsewhere.post(`/v1/disputes/${id}`, { metadata: { c: 3 } });
    expect([note.status, note.json.metadata]).toEqual([200, { a: 1, c: 3 }]);
    await court.later(deadlineMs + 5_000);
    const { status, json } = await later;
    expect([status, json.status, json.metadata]).toEqual([200, 'under_review', { a: 1, b: 2, c: 3 }]);
    expect(json.evidence).toEqual({ receipt: 'x', service_date: 'May' });
  });

  test.skipIf(isDistributedRun).each(verbs)(
    'a %s in flight: the answer is committed on top of the change',
    async (...row) => {
      const [verb, path, body, end] = row;
      const { id } = await court.disputed();
      const release = await holdProcessor();
      const headers = { 'Idempotency-Key': randomUUID() };
      const asking = court.post(id + path, body, headers);
      await untilHeld();
      const note = await elsewhere.post(`/v1/disputes/${id}`, { metadata: { a: 1 } });
      expect([note.status, note.json.status, note.json.metadata]).toEqual([200, 'needs_response', { a: 1 }]);
      await release();
      const { status, json, text } = await asking;
      expect([status, json.status, json.metadata]).toEqual([200, end, { a: 1 }]);
      expect(await court.get(id)).toEqual(json);
      expect((await court.post(id + path, body, headers)).text).toBe(text);
      expect(await court.words(id)).toMatchObject([{ verb, state: 'approved' }]);
      const last = (await court.told(id)).slice(-2);
      expect(last).toMatchObject([{ previous: { metadata: null } }, { object: json }]);
    },
  );

  test.skipIf(isDistributedRun)(
    'an inquiry about the earlier version of the dispute is not committed, but repeated',
    async () => {
      const { id } = await court.disputed();
      await court.fault('lose_request', 'contest');
      await court.post(id, said);
      const release = await holdProcessor();
      const looking = court.later(deadlineMs + 5_000);
      await untilHeld();
      const note = await court.post(id, { metadata: { a: 1 } });
      expect([note.status, note.json.metadata]).toEqual([200, { a: 1 }]);
      await release();
      await looking;
      expect(await court.words(id)).toMatchObject([{ state: 'unknown' }]);
      expect(await court.disputeRow(id)).toMatchObject({ metadata: { a: 1 }, open_attempt: expect.any(String) });
      await court.sql('update disputes set lease_until = null where id = $1', [id]); // in place of the 12 seconds of a lease
      await court.settled();
      const { status, metadata, evidence_details } = await court.get(id);
      expect([status, metadata, evidence_details.submission_count]).toEqual(['under_review', { a: 1 }, 1]);
      expect(await types(id)).toEqual(['dispute.created', ...Array(3).fill('dispute.updated')]);
      expect(await court.words(id)).toMatchObject([{ state: 'approved' }]);
    },
  );

  test('after a verdict it can be changed although the slot is still taken', async () => {
    const { id } = await court.disputed();
    await court.fault('lose_reply', 'contest');
    await court.post(id, { evidence: { receipt: 'winning_evidence' }, submit: true });
    await court.settled();
    expect(await court.disputeRow(id)).toMatchObject({ status: 'won', open_attempt: expect.any(String) });
    expect((await court.post(id, { metadata: { a: 1 } })).json).toMatchObject({ status: 'won', metadata: { a: 1 } });
    await court.later(deadlineMs + 5_000);
    expect(await court.disputeRow(id)).toMatchObject({ status: 'won', open_attempt: null, metadata: { a: 1 } });
    expect(await court.postings(id)).toEqual([taken, reversed]);
  });

  test('many concurrent changes of metadata and of evidence: none is lost', async () => {
    const { id } = await court.disputed();
    const fields = ['receipt', 'service_date', 'customer_name', 'shipping_date'];
    const send = async (at: number, body: object) => {
      for (;;) {
        const client = at % 2 === 0 ? court.account.test : elsewhere;
        const { status } = await client.post(`/v1/disputes/${id}`, body);
        if (status !== 429) return status;
      }
    };
    const statuses = await Promise.all([
      ...fields.map((name, at) => send(at, { evidence: { [name]: 'x' }, submit: at < 2 })),
      ...fields.map((name, at) => send(at >> 1, { metadata: { [name]: at } })),
    ]);
    expect(statuses).toEqual(Array(8).fill(200));
    const { evidence, metadata, evidence_details } = await court.get(id);
    expect(evidence).toEqual(Object.fromEntries(fields.map((name) => [name, 'x'])));
    expect(metadata).toEqual(Object.fromEntries(fields.map((name, at) => [name, at])));
    expect(evidence_details.submission_count).toBe(2);
  });

  test('in the end the books agree with the processor', async () => {
    await court.settled();
    expect(await violationsOf(court.server.sql, { rest: true })).toEqual([]);
  });
});
