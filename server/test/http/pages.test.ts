import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { catalog, errorTable, requestable } from '../../catalog.ts';
import { helpLink } from '../../http/answering/headers.ts';
import { fastest, onFreeMachine } from '../fastest.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from '../harness.ts';
import { askUntil, databaseOnCable, expectCommonHeaders, expectRefusal, rateOf } from './support.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

let clock: VirtualClock;
let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ clock });
  account = await server.account();
});
beforeEach(() => clock.advance(60_000)); // a new window for requests without a key
afterAll(() => server.stop());

const json = [
  ['/healthz', { status: 'ok' }],
  ['/readyz', { status: 'ready' }],
  ['/version', { version, api_versions: ['v1'] }],
] as const;

describe('pages that answer without a key', () => {
  test.each(json)('%s: %j', async (path, body) => {
    const answer = await server.anonymous.get(path);
    expect(answer.status).toBe(200);
    expectCommonHeaders(answer);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json).toEqual(body);
  });

  test('the files of the documentation are kept by browsers until they change', async () => {
    const { text } = await server.anonymous.get('/docs');
    const loaded = new Set([...text.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, address]) => address!));
    expect(loaded.size).toBe(4);
    for (const address of loaded) {
      const kept = async (target: string) => (await server.anonymous.get(target)).headers['cache-control'];
      expect(await kept(address)).toBe('private, max-age=31536000, immutable');
      expect(await kept(address.replace(/v=.*/, 'v=another'))).toBe('no-store');
    }
  });

  test.each(['/healthz', '/readyz', '/version', '/docs', '/docs/errors', '/openapi.json', '/'])(
    '%s: with a key, a query, a bad key and a wrong version it is the same page',
    async (path) => {
      const plain = await server.anonymous.get(path);
      const others = [
        await account.test.get(path),
        await server.anonymous.get(`${path}?a=b`),
        await server.client('sk_test_tg_x').get(path),
        await server.anonymous.get(path, { headers: { 'X-Service-Version': '0', Accept: 'image/png' } }),
      ];
      for (const other of others) expect([other.status, other.text]).toEqual([200, plain.text]);
    },
  );

  test.each(['/healthz', '/readyz', '/version', '/docs', '/docs/errors', '/openapi.json', '/'])(
    'HEAD %s has the headers of GET and no body',
    async (path) => {
      const [get, head] = [await server.anonymous.get(path), await server.anonymous.request('HEAD', path)];
      expectCommonHeaders(head);
      expect([head.status, head.headers['content-length'], head.text]).toEqual([
        get.status,
        get.headers['content-length'],
        '',
      ]);
    },
  );

  test('a page has no path below a version', async () => {
    for (const path of ['/v1/healthz', '/v1/docs', '/v1/version'])
      expectRefusal(await server.anonymous.get(path), 'api_key_missing', 'Authorization');
    expectRefusal(await account.test.get('/v1/docs'), 'url_unrecognized');
  });

  test('metrics are not among them', async () => {
    expectRefusal(await server.anonymous.get('/metrics'), 'api_key_missing', 'Authorization');
    expectRefusal(await account.test.get('/metrics'), 'url_unrecognized');
  });
});

describe('HTML', () => {
  test('/ names the service and links the documentation', async () => {
    const answer = await server.anonymous.get('/');
    expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
    expect(answer.text).toContain(`<strong>Tollgate</strong> ${version}`);
    expect(answer.text).toContain('It runs in production (<code>tollgate serve</code>).');
    for (const path of ['/docs', '/docs/errors', '/openapi.json', '/healthz'])
      expect(answer.text).toContain(`<li><a href="${path}">`);
  });

  test.each(['/', '/docs', '/docs/errors', '/docs/payments', '/docs/guides/payments'])(
    '%s has nothing inline and loads from this server alone',
    async (path) => {
      const answer = await server.anonymous.get(path);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(answer.text).toMatch(/^<!doctype html>/);
      expect(answer.text).not.toMatch(/<style|<script>| style=| on\w+="/);
    },
  );

  test('what the pages load has its type, and does not count against the limit of an address', async () => {
    const types = { 'style.css': 'text/css', 'script.js': 'text/javascript', 'icon.svg': 'image/svg+xml' };
    const before = rateOf(await server.anonymous.get('/docs')).remaining;
    for (const [name, type] of Object.entries(types)) {
      const answer = await server.anonymous.get(`/docs/assets/${name}`);
      expect([answer.status, answer.headers['x-content-type-options']]).toEqual([200, 'nosniff']);
      expect(answer.headers['content-type']).toContain(type);
    }
    expect(rateOf(await server.anonymous.get('/docs')).remaining).toBe(before - 1);
  });

  test('every page of the menu is served, all of them in one minute', async () => {
    const { text } = await server.anonymous.get('/docs');
    const [menu = ''] = /<nav [\s\S]*<\/nav>/.exec(text) ?? [];
    const paths = [...menu.matchAll(/href="(\/[^"#]*)"/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(45);
    for (const path of paths) expect((await server.anonymous.get(path)).status, path).toBe(200);
  });

  test.skipIf(spawnSync('curl', ['--version']).status !== 0)('a sample can be pasted as it is', async () => {
    const { text } = await server.anonymous.get('/docs/customers', { headers: { Host: new URL(server.baseUrl).host } });
    const blocks = [...text.matchAll(/<figcaption>curl<\/figcaption>\s*<pre[^>]*><code>([^<]*)<\/code>/g)];
    const samples = blocks.map(([, sample]) => sample!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    const create = samples.find((sample) => /v1\/customers \\\n/.test(sample) && sample.includes('Idempotency-Key'))!;
    const list = samples.find((sample) => /v1\/customers["? ]/.test(sample) && !sample.includes('Idempotency-Key'))!;
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-pasted-'));
    writeFileSync(join(folder, 'ca.pem'), server.ca);
    const paste = async (sample: string) => {
      const env = {
        ...{ PATH: process.env.PATH, TOLLGATE_API_KEY: account.testKey, CURL_CA_BUNDLE: join(folder, 'ca.pem') },
      };
      const { stdout } = await promisify(execFile)('bash', ['-c', sample.replace('curl ', 'curl -sS ')], { env });
      return JSON.parse(stdout);
    };
    const { id, object } = await paste(create);
    expect(object).toBe('customer');
    expect((await paste(list)).data[0].id).toBe(id);
    rmSync(folder, { recursive: true });
  });

  test('/docs/errors explains every code', async () => {
    const { text } = await server.anonymous.get('/docs/errors');
    for (const code of Object.keys(errorTable)) {
      const section = text.slice(text.indexOf(`<h2 id="${code}">`)).split('<h2')[1]!;
      expect(section.replaceAll(/<[^>]+>/g, '').length, code).toBeGreaterThan(60);
    }
  });

  test('the help link of every error code leads to the heading of that code', async () => {
    const pages = new Map<string, string>();
    for (const code of Object.keys(errorTable)) {
      const [, path = '', anchor] = /^<([^#]+)#([^>]+)>; rel="help"$/.exec(helpLink(code)) ?? [];
      if (!pages.has(path)) pages.set(path, (await server.anonymous.get(path)).text);
      expect(pages.get(path), code).toContain(`<h2 id="${anchor}">${code}</h2>`);
    }
    expect([...pages.keys()]).toEqual(['/docs/errors']);
  });

  test('the link of a retired version leads to the section on versions', async () => {
    const { headers } = await account.test.get('/v0/customers');
    const [, path = '', anchor] = /<([^#]+)#([^>]+)>; rel="deprecation"/.exec(String(headers.link)) ?? [];
    expect((await server.anonymous.get(path)).text).toContain(`<h2 id="${anchor}">`);
  });
});

describe('/openapi.json', () => {
  test('describes exactly the existing operations', async () => {
    const answer = await server.anonymous.get('/openapi.json');
    expect(answer.headers['content-type']).toBe('application/json');
    const { openapi, info, paths } = answer.json;
    expect([openapi, info.version]).toEqual(['3.1.0', version]);
    const described = Object.entries(paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(
      requestable(catalog)
        .map(({ name, method, route }) => `${name} ${method} /v1${route.replace(':id', '{id}')}`)
        .sort(),
    );
  });

  test('names the address of the gateway', async () => {
    const { servers } = (await server.anonymous.get('/openapi.json')).json;
    expect(servers).toEqual([{ url: server.gateway.services.publicUrl(), description: 'This gateway' }]);
    expect(servers[0].url).toMatch(/^https:\/\/localhost:\d+$/);
  });

  test('has every code and type of the error table', async () => {
    const { components } = (await server.anonymous.get('/openapi.json')).json;
    const { error } = components.schemas.Error.properties;
    expect(error.properties.code.enum).toEqual(Object.keys(errorTable));
    expect(error.required).toEqual(['code', 'message', 'type']);
  });

  test('has no internal markers', async () => {
    expect((await server.anonymous.get('/openapi.json')).text).not.toMatch(/"(?:personal|confidential|normalize)":/);
  });
});

describe('/readyz', () => {
  test('answers 500 when the database is dropped, while /healthz answers 200', async () => {
    const database = await createDatabase();
    const doomed = await startServer({ databaseUrl: database.url });
    try {
      expect((await doomed.anonymous.get('/readyz')).status).toBe(200);
      await database.drop();
      const answer = await doomed.anonymous.get('/readyz');
      expect(answer.status).toBe(500);
      expectCommonHeaders(answer);
      expect(answer.json).toEqual({ status: 'unavailable', reason: 'database unreachable' });
      expect((await doomed.anonymous.get('/healthz')).status).toBe(200);
    } finally {
      await doomed.stop();
    }
  });

  test('answers 500 while the database is unreachable or silent, and 200 within 2 s of its return', async () => {
    const cable = await databaseOnCable();
    const wired = await startServer({ databaseUrl: cable.databaseUrl });
    const ready = async () => (await wired.anonymous.get('/readyz')).status;
    const returns = async () => {
      cable.cut();
      expect(await askUntil(ready, (status) => status === 500)).toBe(500);
      await cable.repair();
      const restoredAt = performance.now();
      expect(await askUntil(ready, (status) => status === 200)).toBe(200);
      return performance.now() - restoredAt;
    };
    try {
      expect(await ready()).toBe(200);
      expect(await fastest(2_000, returns)).toBeLessThan(2_000);
      cable.freeze();
      const asked = performance.now();
      expect(await askUntil(ready, (status) => status === 500)).toBe(500); // an answer is shared for 250 ms
      expect(onFreeMachine(10_000, performance.now() - asked)).toBeLessThan(10_000);
    } finally {
      cable.cut();
      await wired.stop();
      await cable.remove();
    }
  });
});
