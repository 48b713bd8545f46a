import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places } from '../../../test/torture.ts';
import { type Court, dayMs, lost, notReceivedCard, openCourt, reversed, taken } from './disputes.fixture.ts';
import { evidenceFields } from './evidence.ts';

describe.each(places)('a dispute, and a simulator that is %s', (place) => {
  let court: Court;

  beforeAll(async () => {
    court = await openCourt(place);
  });
  afterAll(() => court.stop());

  /** Evidence, sent to the bank immediately. */
  const submit = (id: string, uncategorized_text: string, headers = {}) =>
    court.post(id, { evidence: { uncategorized_text }, submit: true }, headers);
  const refund = (payment: string) => court.account.test.post('/v1/refunds', { payment, amount: 1 });
  const incidents = () => court.server.logged.filter((line) => line.includes('incident'));

  test('is opened by a notice: it has exactly the fields of the interface, the payment names it, and the money is withdrawn', async () => {
    const payment = await court.paid('4000000000000259');
    expect(payment).not.toHaveProperty('dispute');
    await court.settled();
    const { data } = (await court.account.test.get('/v1/disputes')).json;
    const [dispute] = data;
    const created = Math.floor(court.clock.now() / 1_000);
    expect(data).toEqual([
      {
        ...{ id: expect.stringMatching(/^dp_[0-9A-Za-z]{22}$/), object: 'dispute', amount: 2000, currency: 'usd' },
        ...{ payment: payment.id, reason: 'fraudulent', status: 'needs_response', evidence: {} },
        evidence_details: { due_by: created + 7 * 86_400, has_evidence: false, submission_count: 0 },
        created,
      },
    ]);
    expect(await court.get(dispute.id)).toEqual(dispute);
    expect((await court.read(payment.id)).json).toEqual({ ...payment, dispute: dispute.id });
    expect(await court.eventTypes(payment.id)).toEqual(['payment.succeeded']);
    expect(await court.told(dispute.id)).toEqual([{ type: 'dispute.created', object: dispute }]);
    expect(await court.postings(dispute.id)).toEqual([taken]);
    const [balance] = (await court.account.test.get('/v1/balance')).json.disputed ?? [];
    expect(balance).toEqual({ amount: 2000, currency: 'usd' });
    const refused = await refund(payment.id);
    expect([refused.status, refused.json.error]).toEqual([
      400,
      {
        code: 'payment_disputed',
        message: `This payment cannot be refunded: the status of its dispute ${dispute.id} is needs_response.`,
        param: 'payment',
        type: 'invalid_request_error',
      },
    ]);
  });

  test('has evidence about people: the request log keeps digests, and the attempt the names of the fields', async () => {
    const { id } = await court.disputed();
    const secret = 'Ada Lovelace, 12 St James Square';
    const { headers } = await court.post(id, { evidence: { shipping_address: secret }, submit: true });
    await expect
      .poll(async () => JSON.stringify(await court.sql('select * from requests where object_id = $1', [id])))
      .toContain(headers['request-id']);
    const seen = JSON.stringify([
      await court.sql('select * from requests where object_id = $1', [id]),
      await court.words(id),
      court.server.logged,
    ]);
    expect(seen).toContain('shipping_address');
    expect(seen).not.toContain('Lovelace');
  });

  test('of a captured payment is about the captured amount', async () => {
    const { id } = await court.paid(notReceivedCard, { capture_method: 'manual' });
    await court.settled();
    expect((await court.account.test.get(`/v1/disputes?payment=${id}`)).json.data).toEqual([]);
    await court.account.test.post(`/v1/payments/${id}/capture`, { amount: 700 });
    await court.settled();
    const [dispute] = (await court.account.test.get(`/v1/disputes?payment=${id}`)).json.data;
    expect(dispute).toMatchObject({ amount: 700, reason: 'product_not_received', payment: id });
    expect(await court.postings(dispute.id)).toEqual(['dispute: 700 usd, balance to disputed']);
  });

  test('is answered with evidence: gathered, then submitted', async () => {
    const dispute = await court.disputed();
    const { id, payment } = dispute;
    const gathered = (await court.post(id, { evidence: { receipt: 'No. 7', customer_name: 'Ada' } })).json;
    const details = { ...dispute.evidence_details, has_evidence: true };
    const staged = { receipt: 'No. 7', customer_name: 'Ada' };
    expect(gathered).toEqual({ ...dispute, evidence: staged, evidence_details: details });
    expect(await court.words(id)).toEqual([]);
    const answer = await court.post(id, { evidence: { customer_name: '', receipt: 'No. 8' }, submit: true });
    const reviewed = {
      ...{ ...dispute, status: 'under_review', evidence: { receipt: 'No. 8' } },
      evidence_details: { ...details, submission_count: 1 },
    };
    expect([answer.status, answer.json]).toEqual([200, reviewed]);
    expect(await court.words(id)).toMatchObject([{ verb: 'contest', state: 'approved', payment }]);
    expect(await court.postings(id)).toEqual([taken]);
    expect((await refund(payment)).json.error.code).toBe('payment_disputed');
    const [created, first, ...rest] = await court.told(id);
    const before = { evidence: { receipt: null, customer_name: null }, evidence_details: { has_evidence: false } };
    expect([created!.type, first]).toEqual([
      'dispute.created',
      { type: 'dispute.updated', object: gathered, previous: before },
    ]);
    // One transaction, or two: then what is stored before the processor is asked has a separate event.
    const moved = { status: 'needs_response', evidence_details: { submission_count: 0 } };
    expect(rest.map(({ previous }) => previous)).toEqual(
      place === 'local' ? [{ ...moved, evidence: staged }] : [{ evidence: staged }, moved],
    );
    expect(rest.at(-1)).toMatchObject({ type: 'dispute.updated', object: reviewed });
  });

  test('is won with evidence that convinces; then the payment can be refunded', async () => {
    const { id, payment } = await court.disputed();
    expect((await submit(id, 'winning_evidence')).status).toBe(200);
    await court.settled();
    const won = await court.get(id);
    expect([won.status, won.evidence_details.submission_count]).toEqual(['won', 1]);
    expect(await court.postings(id)).toEqual([taken, reversed]);
    const closed = (await court.told(id)).filter(({ type }) => type === 'dispute.closed');
    expect(closed.map(({ object, previous }) => [object.status, previous])).toEqual([['won', undefined]]);
    expect((await refund(payment)).status).toBe(200);
  });

  test('is lost with evidence that does not convince', async () => {
    const { id, payment } = await court.disputed();
    expect((await submit(id, 'losing_evidence')).status).toBe(200);
    await court.settled();
    expect((await court.get(id)).status).toBe('lost');
    expect(await court.postings(id)).toEqual([taken, lost]);
    expect((await refund(payment)).json.error).toMatchObject({ code: 'payment_disputed', param: 'payment' });
  });

  test('takes more evidence while it is under review', async () => {
    const { id } = await court.disputed();
    expect((await submit(id, 'wait for more')).json.evidence_details.submission_count).toBe(1);
    await court.settled();
    const again = await submit(id, 'winning_evidence');
    expect(again.json.evidence_details.submission_count).toBe(2);
    await court.settled();
    expect((await court.get(id)).status).toBe('won');
    expect((await court.words(id)).map(({ verb, state }) => [verb, state])).toEqual(
      Array(2).fill(['contest', 'approved']),
    );
  });

  test.each(['needs_response', 'under_review'])('can be conceded while it is %s', async (status) => {
    const { id } = await court.disputed();
    if (status === 'under_review') await submit(id, 'nothing much');
    expect((await court.get(id)).status).toBe(status);
    const closed = await court.post(`${id}/close`);
    expect([closed.status, closed.json.status]).toEqual([200, 'lost']);
    expect(await court.postings(id)).toEqual([taken, lost]);
    const last = (await court.told(id)).at(-1)!;
    expect(last).toEqual({ type: 'dispute.closed', object: closed.json });
    expect((await court.words(id)).at(-1)).toMatchObject({ verb: 'concede', state: 'approved' });
    await court.later(8 * dayMs); // its deadline no longer matters
    expect(await court.postings(id)).toEqual([taken, lost]);
  });

  test('without a response is lost when the processor reports it, and not before', async () => {
    const { id } = await court.disputed();
    await court.post(id, { evidence: { receipt: 'never submitted: winning_evidence' } });
    await court.delayDeadline(id, 1_000);
    court.clock.advance(7 * dayMs);
    expect((await court.post(id, { evidence: { receipt: 'in the last moment' } })).status).toBe(200);
    court.clock.advance(1);
    for (const body of [{ evidence: { receipt: 'late' } }, { submit: true }, { evidence: null }]) {
      const { status, json } = await court.post(id, body);
      const dispute = await court.disputeRow(id);
      expect([status, json.error]).toEqual([
        400,
        {
          code: 'evidence_past_due',
          message: `Evidence was taken until ${dispute.due_by.toISOString()}; that has passed.`,
          param: 'evidence',
          type: 'invalid_request_error',
        },
      ]);
    }
    expect((await court.post(id)).json.status).toBe('needs_response');
    await court.later(1_000);
    const ended = await court.get(id);
    expect([ended.status, ended.evidence]).toEqual(['lost', { receipt: 'in the last moment' }]);
    expect(await court.postings(id)).toEqual([taken, lost]);
    expect(await court.words(id)).toEqual([]);
  });

  test('can be conceded after the deadline too, as long as it is not decided', async () => {
    const { id } = await court.disputed();
    await submit(id, 'in time');
    await court.later(8 * dayMs);
    expect((await court.get(id)).status).toBe('under_review');
    expect((await submit(id, 'late')).json.error.code).toBe('evidence_past_due');
    expect((await court.post(`${id}/close`)).json.status).toBe('lost');
  });

  describe.each(['won', 'lost'])('once it is %s', (end) => {
    let id: string;
    beforeAll(async () => {
      id = (await court.disputed()).id;
      await submit(id, end === 'won' ? 'winning_evidence' : 'losing_evidence');
      await court.settled();
    });

    test.each([
      ['more evidence', '', { evidence: { receipt: 'x' } }],
      ['less evidence', '', { evidence: null }],
      ['submitting again', '', { submit: true }],
      ['closing', '/close', {}],
    ])('%s is refused, and changes nothing', async (_what, path, body) => {
      const before = await court.disputeRow(id);
      const { status, json } = await court.post(id + path, body);
      expect([status, json.error]).toEqual([
        400,
        {
          code: 'dispute_closed',
          message: `This dispute is closed: it was ${end}.`,
          param: 'id',
          type: 'invalid_request_error',
        },
      ]);
      expect(await court.disputeRow(id)).toEqual(before);
    });

    test('an update without parameters is answered with the dispute', async () => {
      const { status, json } = await court.post(id, {});
      expect([status, json.status]).toEqual([200, end]);
    });
  });

  describe('evidence', () => {
    test('accepts every field, merges field by field, and removes fields that are sent empty', async () => {
      const { id } = await court.disputed();
      const all = Object.fromEntries(Object.keys(evidenceFields).map((name) => [name, `about ${name}`]));
      expect(Object.keys(all)).toHaveLength(27);
      expect((await court.post(id, { evidence: all })).json.evidence).toEqual(all);
      const { receipt: _, service_date: __, ...rest } = all;
      const fewer = await court.post(id, { evidence: { receipt: null, service_date: '', customer_name: 'Ada' } });
      expect(fewer.json.evidence).toEqual({ ...rest, customer_name: 'Ada' });
      const form = await court.account.test.form(`/v1/disputes/${id}`, 'evidence[customer_name]=&evidence[receipt]=7');
      expect(form.json.evidence).toEqual({ ...rest, customer_name: undefined, receipt: '7' });
      const none = await court.post(id, { evidence: null });
      expect([none.json.evidence, none.json.evidence_details.has_evidence]).toEqual([{}, false]);
    });

    test('that changes nothing makes no event', async () => {
      const { id } = await court.disputed();
      await court.post(id, { evidence: { receipt: 'x' } });
      const before = await court.disputeRow(id);
      for (const body of [{ evidence: { receipt: 'x' } }, { evidence: {} }, { submit: false }, { submit: null }, {}])
        expect((await court.post(id, body)).status).toBe(200);
      expect(await court.disputeRow(id)).toEqual(before);
      expect((await court.told(id)).map(({ type }) => type)).toEqual(['dispute.created', 'dispute.updated']);
    });

    const long = (length: number) => '😀'.repeat(length);
    test.each([
      ['an unknown field', { evidence: { reciept: 'x' } }, 'parameter_unknown', 'evidence.reciept'],
      ['a field that is no text', { evidence: { receipt: 7 } }, 'parameter_invalid', 'evidence.receipt'],
      ['a field that is too long', { evidence: { receipt: long(20_001) } }, 'parameter_invalid', 'evidence.receipt'],
      ['evidence that is no object', { evidence: 'x' }, 'parameter_invalid', 'evidence'],
      ['submit that is no boolean', { submit: 'yes' }, 'parameter_invalid', 'submit'],
      ['nothing to submit', { submit: true }, 'parameter_missing', 'evidence'],
      ['a status', { status: 'won' }, 'parameter_unknown', 'status'],
    ])('%s is refused', async (_what, body, code, param) => {
      const { id } = await court.disputed();
      const { status, json } = await court.post(id, body);
      expect([status, json.error.code, json.error.param]).toEqual([400, code, param]);
    });

    test('may have 20,000 characters in a field, counted as code points, and 150,000 bytes in all', async () => {
      const { id } = await court.disputed();
      const names = Object.keys(evidenceFields).slice(0, 8) as string[];
      expect((await court.post(id, { evidence: { [names[0]!]: long(20_000) } })).status).toBe(200);
      for (const name of names.slice(0, 7))
        expect((await court.post(id, { evidence: { [name]: 'x'.repeat(20_000) } })).status).toBe(200);
      const last = (length: number) => court.post(id, { evidence: { [names[7]!]: 'x'.repeat(length) } });
      expect((await last(10_000)).json.error).toMatchObject({ code: 'parameter_invalid', param: 'evidence' });
      const full = await last(9_000);
      expect([full.status, Object.keys(full.json.evidence).length]).toEqual([200, 8]);
    });
  });

  describe('a list', () => {
    test('is filtered by payment and status, and takes the parameters of every list', async () => {
      const [first, second] = [await court.disputed(), await court.disputed(notReceivedCard)];
      await court.post(`${first.id}/close`);
      const ids = async (query: string) => {
        const { json } = await court.account.test.get(`/v1/disputes?${query}`);
        return json.data.map((one: { id: string }) => one.id);
      };
      expect(await ids(`payment=${first.payment}`)).toEqual([first.id]);
      expect(await ids(`payment=${second.payment}&status=needs_response`)).toEqual([second.id]);
      expect(await ids(`payment=${first.payment}&status=won`)).toEqual([]);
      expect(await ids('payment=py_none')).toEqual([]);
      expect(await ids('limit=1&status=lost')).toHaveLength(1);
      expect(await ids(`starting_after=${second.id}`)).not.toContain(second.id);
      const unknown = await court.account.test.get('/v1/disputes?status=open');
      expect([unknown.status, unknown.json.error.param]).toEqual([400, 'status']);
    });

    test.each([
      ['disputes:read', [200, 200, 403, 403]],
      ['disputes:write', [200, 200, 200, 200]],
      ['payments:write', [403, 403, 403, 403]],
    ] as const)('and everything else, needs a scope: %s', async (scope, statuses) => {
      const { id } = await court.disputed();
      const { client } = await court.server.key(court.account.id, { scopes: [scope] });
      const answers = [
        await client.get('/v1/disputes'),
        await client.get(`/v1/disputes/${id}`),
        await client.post(`/v1/disputes/${id}`, { evidence: { receipt: 'x' } }),
        await client.post(`/v1/disputes/${id}/close`, {}),
      ];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
    });
  });

  describe('a retry with the same key', () => {
    test.each(['submit', 'close'])('of a %s repeats the answer and does it once', async (what) => {
      const { id } = await court.disputed();
      const headers = { 'Idempotency-Key': randomUUID() };
      const send = () => (what === 'close' ? court.post(`${id}/close`, {}, headers) : submit(id, 'x', headers));
      const answers = [await send(), ...(await Promise.all([send(), send()]))];
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[1]!.headers['idempotent-replayed']).toBe('true');
      expect(await court.words(id)).toHaveLength(1);
    });
  });

  test('the books agree with the processor, and no incident was logged', async () => {
    await court.settled();
    expect(await violationsOf(court.server.sql, { rest: true })).toEqual([]);
    expect(incidents()).toEqual([]);
  });
});
