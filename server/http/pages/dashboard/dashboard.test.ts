import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { PageRequest, Rendered } from '../../../base/page.ts';
import { startServer } from '../../../test/harness.ts';
import { rateOf, rawHead, sendRaw } from '../../../test/http/support.ts';
import { Dashboard, type DashboardOptions } from './dashboard.ts';

type Files = NonNullable<DashboardOptions['files']>;

let clock: VirtualClock;
/** The sources, whether a build of them is there, and how often they were read. */
let state: { hash: string | undefined; folder: string; canBuild: boolean; looks: number };
let finish: { resolve(folder: string): void; reject(error: Error): void };
let errors: string[];

const log = { info() {}, error: (_: object, message: string) => void errors.push(message) };

function open(options: Partial<DashboardOptions> = {}): Dashboard {
  const files: Files = {
    sourceHash() {
      state.looks += 1;
      return state.hash;
    },
    builtFolder: (hash) => (hash === 'built' ? state.folder : undefined),
    canBuild: () => state.canBuild,
    buildDashboard: () => new Promise((resolve, reject) => Object.assign(finish, { resolve, reject })),
  };
  const dashboard = new Dashboard({ builds: true, watches: false, log, clock, files, ...options });
  dashboard.start();
  return dashboard;
}

const shown = (dashboard: Dashboard, path = '', cookie?: string) =>
  dashboard.pages()[1]!.render({ params: { '*': path }, headers: { cookie } } as unknown as PageRequest) as Rendered;
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-dashboard-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<p nonce="%NONCE%">the dashboard</p><b data-mail="%MAIL%"></b><i title="%CA_FILE%"></i>%SHAPE% %SCHEME%',
  );
  clock = virtualClock(Date.now());
  state = { hash: 'built', folder, canBuild: true, looks: 0 };
  finish = {} as typeof finish;
  errors = [];
});

test('while it is being built the page says so, and loads itself again until it is there', async () => {
  state.hash = 'new';
  const dashboard = open();
  const waiting = shown(dashboard);
  expect(waiting).toMatchObject({ status: 200, headers: { Refresh: '1' } });
  expect(waiting.body).toContain('The dashboard is being built');
  finish.resolve(state.folder);
  await settled();
  expect(shown(dashboard).body).toMatch(/nonce="[\w+/]{24}">the dashboard/);
});

test('the page has the file of the local certificate authority, as text', () => {
  const page = shown(open({ caFile: '/srv/"a" $& <b>/ca.pem' })).body;
  expect(page).toContain('title="/srv/&quot;a&quot; $&amp; &lt;b&gt;/ca.pem"');
  expect(shown(open()).body).toContain('title=""');
});

test('the page says whether the gateway sends mails', () => {
  expect(shown(open({ sendsMail: true })).body).toContain('data-mail="sent"');
  expect(shown(open()).body).toContain('data-mail=""');
});

test.each([
  ['payments', undefined, 'visitor auto'],
  ['payments', 'theme=dark; tollgate-colors=dark', 'visitor dark'],
  ['payments', '__Host-tollgate=token', 'test auto'],
  ['acct_1/test/live', '__Host-tollgate=token; tollgate-colors=light', 'test light'],
  ['acct_1/live', '__Host-tollgate=token', 'live auto'],
  ['acct_1/live/payments', 'tollgate-colors="><b>; __Host-tollgate=token', 'live auto'],
  ['sign-in', '__Host-tollgate=token', 'visitor auto'],
])('the first paint of %s with the cookies %s is "%s"', (path, cookie, words) => {
  expect(shown(open(), path, cookie).body.endsWith(`</i>${words}`)).toBe(true);
});

test('a build that has failed is shown as text with what to do, and is not tried again until the sources change', async () => {
  state.hash = 'new';
  const dashboard = open({ watches: true });
  finish.reject(new Error('<b>Unexpected token</b>'));
  await settled();
  clock.advance(1_000);
  const failed = shown(dashboard);
  expect(failed.body).toContain('The dashboard could not be built');
  expect(failed.body).toContain('&lt;b&gt;Unexpected token');
  expect(failed.body).toContain('load this page again');
  expect(failed.headers?.Refresh).toBeUndefined();
  expect(errors).toEqual(['could not build the dashboard']);
  state.hash = 'repaired';
  clock.advance(1_000);
  expect(shown(dashboard).body).toContain('being built');
  finish.reject(new Error('again'));
  await settled();
  state.hash = 'built'; // the change that broke it was taken back
  clock.advance(1_000);
  expect(shown(dashboard).body).toContain('the dashboard</p>');
});

test('without what builds it, the page says what to install', () => {
  Object.assign(state, { hash: undefined, canBuild: false });
  expect(shown(open()).body).toContain('npm ci --include=dev');
});

test('files that cannot be read, or are gone, leave a page that says so', () => {
  const broken = open();
  rmSync(join(state.folder, 'index.html'));
  expect(shown(broken).body).toContain('The dashboard is not built');
  const files = { sourceHash: () => fail(), builtFolder: () => fail(), canBuild: () => true, buildDashboard: fail };
  expect(shown(open({ files })).body).toContain('EACCES');
});

function fail(): never {
  throw new Error('EACCES: permission denied');
}

test('an asset is found by an instance that has not served the page', () => {
  writeFileSync(join(state.folder, 'assets', 'a.js'), '1');
  const [, , assets] = open({ builds: false }).pages();
  expect(assets!.render({ params: { name: 'a.js' }, headers: {} } as never)).toMatchObject({ status: 200 });
});

test.each(['.', '..', 'assets', '.hidden', 'folder', 'a.js/', 'missing.js', '', '__proto__'])(
  'no asset has the name "%s": 404',
  (name) => {
    mkdirSync(join(state.folder, 'assets', 'folder'));
    writeFileSync(join(state.folder, 'assets', 'a.js'), '1');
    const [, , assets] = open().pages();
    expect(assets!.render({ params: { name }, headers: { 'accept-encoding': 'br' } } as never)).toMatchObject({
      status: 404,
    });
  },
);

test('an asset of a folder that a newer build has replaced is gone', () => {
  writeFileSync(join(state.folder, 'assets', 'a.js'), '1');
  const [, , assets] = open().pages();
  rmSync(join(state.folder, 'assets'), { recursive: true });
  expect(assets!.render({ params: { name: 'a.js' }, headers: {} } as never)).toMatchObject({ status: 404 });
});

test('the sources are read once a second, however often the page is loaded', () => {
  const dashboard = open({ watches: true });
  for (let more = 0; more < 1_000; more++) shown(dashboard);
  expect(state.looks).toBe(1);
  clock.advance(1_000);
  shown(dashboard);
  expect(state.looks).toBe(2);
});

test('loading the page costs its address nothing, and leaves no row; the API answers without the dashboard', async () => {
  const server = await startServer();
  try {
    const { test: key } = await server.account();
    for (let more = 0; more < 120; more++)
      expect((await server.anonymous.get(`/dashboard/payments?page=${more}`)).status).toBe(200);
    expect(rateOf(await server.anonymous.get('/dashboard')).remaining).toBe(100);
    expect((await key.get('/v1/payments')).status).toBe(200);
    for (const name of ['..', '%2e%2e', '%2E', 'missing.js']) {
      const answer = await sendRaw(server, `${rawHead(`GET /dashboard/assets/${name}`)}\r\n`);
      expect(answer.status).toBe(404);
    }
    expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(rateOf(await server.anonymous.get('/dashboard')).remaining).toBe(100);
    const last = (await key.get('/v1/payments')).headers['request-id'];
    const isLogged = async () => (await server.sql.query('select from requests where id = $1', [last])).rowCount;
    await expect.poll(isLogged).toBe(1);
    const logged = await server.sql.query(`select from requests where path like '/dashboard%'`);
    const anonymous = await server.sql.query('select id from anonymous_requests');
    expect([logged.rowCount, anonymous.rowCount]).toEqual([0, 0]);
  } finally {
    await server.stop();
  }
});
