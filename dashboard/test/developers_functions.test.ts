import { execFileSync } from 'node:child_process';
import type { ApiKey, Event, RequestLog, Tollgate } from '@tollgate/node';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../server/catalog.ts';
import { scopeBeyond } from '../../server/resources/people/api_keys/operations.ts';
import { brandNames, testCards } from '../src/generated/catalog.ts';
import { commandFor, curlOf, isRedacted } from '../src/kit/curl.ts';
import { typescriptOf } from '../src/kit/typescript.ts';
import { objectWords } from '../src/nouns/object_words.ts';
import { cardGroups, detailsOf, grouped } from '../src/nouns/test_cards.ts';
import { type Fields, paramsOfFields } from '../src/pages/api_keys/fields.ts';
import * as scopes from '../src/pages/api_keys/scopes.ts';
import { loadRequests, withoutOwnReads } from '../src/pages/request_log/load.ts';
import { codeOf, whyNotAgain } from '../src/pages/request_log/sent.ts';
import { advancesOf, countsOf, eventsOf, progressOf } from '../src/pages/test_clocks/history.ts';
import { later, spanWords } from '../src/pages/test_clocks/times.ts';
import { hasRight, type Right } from '../src/session/rights.ts';
import { filledPath } from '../src/shell/workbench/subject.ts';

test.each([
  [{ object: 'invoice', number: 'INV-000001', total: 900, currency: 'eur' }, 'INV-000001'],
  [{ object: 'invoice', total: 900, currency: 'eur' }, 'Draft · €9.00'],
  [{ object: 'invoice_item', amount: 500, currency: 'eur', description: 'Setup' }, '€5.00 · Setup'],
  [{ object: 'customer' }, undefined],
])('an event calls its object what people call it: %o', (object, words) => {
  expect(objectWords({ id: 'x', ...object })).toBe(words);
});

describe('a request as curl', () => {
  const origin = 'https://pay.example.com';
  /** The words that curl would be given by a shell. */
  const words = (command: string) => {
    const script = `curl() { printf '%s\\0' "$@"; }; TOLLGATE_KEY=sk_x; ${command}`;
    return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  };

  test('has each value as one word, whatever it contains', () => {
    const parameters = { name: `O'Brien"; $(reboot) \`id\` \\ \n&`, card: { exp_month: 1 }, items: ['a', null, true] };
    const [url, flag, header, json, body] = words(
      curlOf({ origin, method: 'POST', path: '/v1/customers', parameters }),
    );
    expect([url, flag, header, json]).toEqual([`${origin}/v1/customers`, '-H', 'Authorization: Bearer sk_x', '--json']);
    expect(JSON.parse(body!)).toEqual(parameters);
  });

  test('has the parameters of a GET in the address, without brackets, which curl would expand', () => {
    const parameters = { created: { gte: 5 }, status: 'a&b' };
    const [url] = words(curlOf({ origin, method: 'GET', path: '/v1/payments', parameters }));
    expect(url).toBe(`${origin}/v1/payments?created%5Bgte%5D=5&status=a%26b`);
  });

  test('names the method where curl would choose another, and the certificate of a gateway on this machine', () => {
    const sent = (method: string, caFile?: string) =>
      words(curlOf({ origin, method, path: '/v1/x', key: 'sk_1', caFile }));
    expect(sent('POST')).toEqual([`${origin}/v1/x`, '-H', 'Authorization: Bearer sk_1', '-X', 'POST']);
    expect(sent('DELETE')).toContain('DELETE');
    expect(sent('GET', `/srv/O'Brien/my data/tls/ca.pem`)).toContain(`/srv/O'Brien/my data/tls/ca.pem`);
    expect(sent('GET')).not.toContain('--cacert');
  });

  test('has a mark in place of what the log does not keep', () => {
    const parameters = { name: '[redacted]', card: { number: '[redacted]' }, amount: 5 };
    const command = curlOf({ origin, method: 'POST', path: '/v1/x', parameters });
    expect(command).toContain(`'{"name":"…","card":{"number":"…"},"amount":5}'`);
    expect([isRedacted(parameters), isRedacted({ amount: 5 })]).toEqual([true, false]);
  });

  test('has the id of the object, and is offered only for what keys can send', () => {
    const request = { method: 'GET', path: '/v1/payments/:id', object_id: 'py_1', operation: 'payments.retrieve' };
    expect(codeOf(request as RequestLog, { origin })?.curl).toContain(`${origin}/v1/payments/py_1 `);
    const url = '/v1/payments/py_0Vb0freRkUP6qbeOV4agzQ/capture';
    const captured = {
      ...request,
      url,
      method: 'POST',
      path: '/v1/payments/:id/capture',
      operation: 'payments.capture',
    };
    const code = codeOf({ ...captured, object_id: 're_1', parameters: { amount: 5 } } as never, { origin })!;
    expect(code.curl).toContain(`${origin}${url} `);
    expect(code.typescript).toContain(`tollgate.payments.capture('py_0Vb0freRkUP6qbeOV4agzQ', { amount: 5 })`);
    expect(codeOf({ ...request, operation: 'api_keys.create' } as RequestLog, { origin })).toBeUndefined();
  });
});

describe('a request as TypeScript', () => {
  const origin = 'https://pay.example.com';
  /** What the client would be given. */
  const given = (program: string) => {
    const body = program.split('\n').filter((line) => !line.startsWith('import '));
    const fake = `const process = { env: {} }, readFileSync = () => '', getCACertificates = () => [], setDefaultCACertificates = () => {};
      class Tollgate { things = { doIt: async (...args) => JSON.stringify(args) }; async request(...args) { return JSON.stringify(args); } }`;
    const script = `${fake}\n${body.join('\n').replaceAll('!,', ',')}`;
    return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  };

  test('has each value as it was sent, whatever it contains', () => {
    const parameters = {
      name: `O'Brien" \\ \n \u2028 \0 \${x} \`y\``,
      'a-b': [1, null, true, { deep: 'x'.repeat(90) }],
      ['__proto__']: 'own',
      empty: {},
    };
    const operation = { name: 'things.do_it', id: 'py_1' };
    const program = typescriptOf({
      origin,
      method: 'POST',
      path: '/v1/x',
      parameters,
      operation,
      caFile: `/o'b/ca.pem`,
    });
    expect(given(program)).toEqual(['py_1', JSON.parse(JSON.stringify(parameters))]);
    expect(given(typescriptOf({ origin, method: 'GET', path: '/v1/nothing' }))).toEqual(['GET', '/v1/nothing']);
  });

  test('trusts the authority of a gateway on this machine alone', () => {
    const sent = { origin, method: 'GET', path: '/v1/x' };
    expect(typescriptOf({ ...sent, caFile: '/srv/tls/ca.pem' })).toContain(`readFileSync('/srv/tls/ca.pem', 'utf8')`);
    expect(typescriptOf(sent)).not.toContain('node:tls');
  });
});

test.each([
  ['/srv/shop/.tollgate/tls/ca.pem', 'npx tollgate logs tail'],
  [undefined, 'npx tollgate logs tail'],
  ['/srv/my data/tls/ca.pem', `TOLLGATE_DATA_DIR='/srv/my data' npx tollgate logs tail`],
])('a command finds the data: with %s, %s', (caFile, command) => {
  expect(commandFor(caFile, 'logs tail')).toBe(command);
});

describe('a request is sent again', () => {
  const request = {
    operation: 'payments.create',
    url: '/v1/payments',
    parameters: { amount: 5 },
  } as unknown as RequestLog;
  const workspace = { may: () => true, whoMay: () => 'Owners' };
  test.each([
    [{}, undefined],
    [{ operation: undefined }, 'No operation'],
    [{ operation: 'me.retrieve' }, 'cannot be sent from here'],
    [{ url: undefined }, '7 days'],
    [{ parameters_start: '{' }, '8 KiB'],
    [{ parameters: { card: { number: '[redacted]' } } }, '[redacted]'],
  ])('%j: %s', (facts, reason) => {
    const found = whyNotAgain({ ...request, ...facts } as RequestLog, workspace);
    if (reason === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(reason);
  });
  test('by those whose role permits it', () => {
    expect(whyNotAgain(request, { ...workspace, may: () => false })).toBe('Owners can send it.');
  });
});

test.each([
  ['/v1/payments/:id/capture', 'py_1', 'payments', '/v1/payments/py_1/capture'],
  ['/v1/balance/transactions/:id', 'txn_1', 'balance', '/v1/balance/transactions/txn_1'],
  ['/v1/inbox_requests/:id', 'ibx_1', 'inbox', '/v1/inbox_requests/:id'],
  ['/v1/payments/:id', undefined, undefined, '/v1/payments/:id'],
])('the shell offers %s, on the page of %s, which is one of %s, as %s', (path, subject, resource, offered) => {
  expect(filledPath(path, subject, resource)).toBe(offered);
});

test('the log leaves out reads of the dashboard, unless somebody asks for them', () => {
  expect(withoutOwnReads({ limit: 5 })).toEqual({ limit: 5, dashboard_reads: false });
  expect(withoutOwnReads({ sent_by: 'all' })).toEqual({});
  expect(withoutOwnReads({ sent_by: 'person' })).toEqual({ sent_by: 'person' });
  expect(withoutOwnReads({ user: 'usr_1' })).toEqual({ user: 'usr_1' });
});

describe('the scopes of keys', () => {
  const noFields: Fields = {
    name: '',
    kind: 'secret',
    chosen: {},
    lifetime: '',
    day: '',
    addresses: '',
    isSigned: false,
  };
  test('that a role cannot give are not offered', () => {
    for (const role of ['owner', 'developer'] as const)
      for (const mode of ['test', 'live'] as const) {
        const allowed = (right: Right) => hasRight(role, mode, right);
        for (const scope of catalog.scopes)
          expect(scopes.isBeyond(scope, allowed), `${role} ${mode} ${scope}`).toBe(
            scopeBeyond(catalog.operations, [scope], role, mode) !== undefined,
          );
        const isSecretBeyond = scopeBeyond(catalog.operations, null, role, mode) !== undefined;
        expect(scopes.isKeyBeyond({ kind: 'secret' }, allowed)).toBe(isSecretBeyond);
      }
  });

  test.each([
    ['secret', undefined, ['payments:read', 'payments:write'], ['payments:write']],
    ['secret', undefined, [], undefined],
    ['restricted', ['payments:write', 'refunds:read'], ['payments:read'], ['payments:read']],
    ['restricted', ['payments:write', 'payments:read'], ['payments:write', 'payments:read'], undefined],
    ['restricted', ['payments:read'], ['any:read'], undefined],
  ] as const)('a %s key with %j that used %j can do with %j', (kind, had, used_scopes, narrower) => {
    const key = { kind, status: 'active', used_scopes, ...(had && { scopes: had }) } as unknown as ApiKey;
    expect(scopes.narrowerScopes(key)).toEqual(narrower);
    expect(scopes.narrowerScopes({ ...key, status: 'revoked' })).toBeUndefined();
  });

  test('and the rest of a new key follow from the fields, once none is missing', () => {
    const now = 1_800_000_000;
    const fields = { ...noFields, name: ' Shop ', kind: 'restricted', lifetime: '7' } as const;
    expect(paramsOfFields(fields, now)).toBeUndefined();
    expect(paramsOfFields({ ...noFields, name: ' ' }, now)).toBeUndefined();
    expect(paramsOfFields({ ...noFields, name: 'a', lifetime: 'day' }, now)).toBeUndefined();
    const chosen = { payments: 'write', refunds: 'none', events: 'read' } as const;
    expect(paramsOfFields({ ...fields, chosen, addresses: '203.0.113.1\n\n::1, ', isSigned: true }, now)).toEqual({
      name: 'Shop',
      kind: 'restricted',
      scopes: ['payments:write', 'events:read'],
      expires_at: now + 7 * 86_400,
      allowed_ips: ['203.0.113.1', '::1'],
      signature_required: true,
    });
    expect(paramsOfFields({ ...noFields, name: 'a', chosen }, now)).toEqual({ name: 'a', kind: 'secret' });
  });
});

describe('test cards', () => {
  const all = cardGroups.flatMap((group) => group.cards);

  test('have their place in one group each, and a brand that has a name', () => {
    expect(all.map(({ id }) => id).sort()).toEqual(Object.keys(testCards).sort());
    expect(all.filter(({ brand }) => !(brand in brandNames))).toEqual([]);
  });

  test('are shown as they are printed, and can be sent', () => {
    const amex = all.find(({ brand }) => brand === 'amex')!;
    expect(detailsOf(amex, 2026)).toMatchObject({ number: amex.id, cvc: '1234', exp_year: 2031 });
    expect(grouped('4242424242424242')).toBe('4242 4242 4242 4242');
    expect(grouped('378282246310005')).toBe('3782 822463 10005');
  });
});

describe('a test clock', () => {
  const at = (text: string) => Date.parse(text) / 1_000;

  test.each([
    ['2027-01-31T12:00:00Z', '1 month', '2027-02-28T12:00:00Z'],
    ['2027-12-15T00:00:00Z', '1 month', '2028-01-15T00:00:00Z'],
    ['2028-02-29T00:00:00Z', '1 year', '2029-02-28T00:00:00Z'],
    ['2027-01-31T23:30:00Z', '1 hour', '2027-02-01T00:30:00Z'],
  ] as const)('at %s is %s later at %s', (from, step, to) => expect(later(at(from), step)).toBe(at(to)));

  test('goes by days, or by hours', () => {
    expect([spanWords(0, 31 * 86_400), spanWords(0, 3_600), spanWords(0, 86_400)]).toEqual([
      '31 days',
      '1 hour',
      '24 hours',
    ]);
  });

  const request = (id: string, operation: string, created: number, frozen_time: number, status = 200) =>
    ({ id, operation, created, status, parameters: { frozen_time } }) as unknown as RequestLog;
  const [newest] = advancesOf([
    request('req_5', 'test_clocks.advance', 50, 3_000),
    request('req_4', 'test_clocks.advance', 40, 100, 400),
    request('req_3', 'test_clocks.advance', 30, 2_000),
    request('req_1', 'test_clocks.create', 10, 1_000),
  ]);

  test('was advanced by the requests that succeeded, each from where the one before has led', () => {
    const found = advancesOf([
      request('req_1', 'test_clocks.create', 10, 1_000),
      request('req_3', 'test_clocks.advance', 30, 2_000),
    ]);
    expect(found).toEqual([{ request: 'req_3', at: 30, until: undefined, from: 1_000, to: 2_000 }]);
    expect(newest).toEqual({ request: 'req_5', at: 50, until: undefined, from: 2_000, to: 3_000 });
  });

  test('shows the events of its customers, of their payments, and of the time that was passed', () => {
    const event = (id: string, created: number, object: object) =>
      ({ id, created, data: { object } }) as unknown as Event;
    const events = [
      event('before', 2_000, { id: 'in_0', customer: 'cus_1' }),
      event('payment', 2_500, { id: 'py_1', customer: 'cus_1' }),
      event('dispute', 2_600, { id: 'dp_1', payment: 'py_1' }),
      event('subscription', 2_700, { id: 'sub_1', test_clock: 'clock_1' }),
      event('stranger', 2_800, { id: 'py_2', customer: 'cus_2' }),
      event('their dispute', 2_900, { id: 'dp_2', payment: 'py_2' }),
      event('now', 99_999, { id: 'cus_1' }),
    ];
    const of = { clock: 'clock_1', customers: new Set(['cus_1']), advance: newest! };
    expect(eventsOf(events, of).map(({ id }) => id)).toEqual(['payment', 'dispute', 'subscription']);
  });

  test('counts what happened', () => {
    const types = ['invoice.paid', 'payment.failed', 'invoice.paid'];
    expect(countsOf(types.map((type) => ({ type }) as Event))).toBe('2 invoice.paid, 1 payment.failed');
  });

  test('is somewhere on its way', () => {
    expect(progressOf(1_250, { from: 1_000, to: 2_000 })).toBe(25);
    expect(progressOf(5_000, { from: 1_000, to: 2_000 })).toBe(100);
  });
});

test('a page of the request log is filled where the API stops early, in both directions', async () => {
  type Asked = { starting_after?: string; ending_before?: string; limit: number };
  const asked: Asked[] = [];
  const answers = [
    { has_more: true, data: [], searched_to: 'req_50' },
    { has_more: true, data: [{ id: 'req_40' }], searched_to: 'req_30' },
    { has_more: true, data: [{ id: 'req_20' }] },
  ];
  const list = async (params: Asked) => answers[asked.push(params) - 1];
  const api = { requestLogs: { list } } as unknown as Tollgate;
  const options = { signal: new AbortController().signal };
  const ids = async (params: object) =>
    (await loadRequests(api, { limit: 2, ...params }, options)).data.map(({ id }) => id);
  expect(await ids({ status: '4xx' })).toEqual(['req_40', 'req_20']);
  expect(asked.map(({ starting_after, limit }) => [starting_after, limit])).toEqual([
    [undefined, 2],
    ['req_50', 2],
    ['req_30', 1],
  ]);
  asked.length = 0;
  expect(await ids({ ending_before: 'req_60' })).toEqual(['req_20', 'req_40']);
  expect(asked.map(({ ending_before }) => ending_before)).toEqual(['req_60', 'req_50', 'req_30']);
});
