import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page as Tab } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../server/base/clock.ts';
import { buildDashboard } from '../../server/http/pages/dashboard/built.ts';
import { openBrowser } from '../../server/test/browser.ts';
import type { Answer } from '../../server/test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../server/test/harness.ts';
import type { TestPerson } from '../../server/test/person.ts';
import { isTorture } from '../../server/test/torture.ts';
import { openContext, watchTab } from './browser.ts';

/** A walk for `npm run torture`: a browser needs seconds for one, and `npm test` has minutes for everything. */
export const longWalk = test.runIf(isTorture);

export const heading = (tab: Tab, name: string) => tab.getByRole('heading', { level: 1, name, exact: true });

/** Until nothing is being read any more. */
export const loaded = (tab: Tab) => expect.poll(() => tab.locator('[aria-busy=true]').count()).toBe(0);

/** Until a field says what is wrong with it, has the focus, and is read together with these words. */
export async function refusedAt(tab: Tab, label: string, words: string): Promise<void> {
  await tab.getByRole('alert').filter({ hasText: words }).waitFor();
  const input = tab.getByLabel(label, { exact: true }).filter({ visible: true });
  // The same words may still stand at the field that was refused before.
  await expect.poll(() => input.getAttribute('aria-invalid'), { message: label }).toBe('true');
  const descriptions = ((await input.getAttribute('aria-describedby')) ?? '').split(' ').map((id) => `[id="${id}"]`);
  expect((await tab.locator(descriptions.join(', ')).allInnerTexts()).join(' '), label).toContain(words);
  const id = await input.getAttribute('id');
  await expect.poll(() => tab.evaluate('document.activeElement.id')).toBe(id);
}

/** Goes to another page as a link does, without another load. */
export async function go(tab: Tab, path: string): Promise<void> {
  await tab.evaluate(
    `history.pushState({}, '', location.pathname.match(/^.dashboard(.acct_\\w+.(test|live))?/)[0] + ${JSON.stringify(path)}),
    dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** A file of the dashboard, by its address. */
export const isAsset = (url: string) => url.includes('/dashboard/assets/');

/** How many bytes the files of the dashboard have among what was asked for, as browsers get them. A font is compressed already. */
export function compressedSize(built: string, asked: readonly string[]): number {
  const names = asked.filter(isAsset).map((url) => url.split('/').at(-1)!);
  const files = names.map((name) => join(built, 'assets', name.endsWith('.woff2') ? name : `${name}.br`));
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

/** A text as an attacker would set it: it must be shown, and do nothing. */
export const markup = '<img src=x onerror="document.title=1"><b>bold</b>';

export type Fixture = {
  server: TestServer;
  browser: Browser;
  account: TestAccount;
  owner: TestPerson;
  /** The address of the dashboard; it leads to the account and mode that were used last. */
  home: string;
  /** The address of the account in test mode. */
  place: string;
  /** The folder of the built files. */
  built: string;
  /** Of the owner. Its tabs share what the browser keeps: it reads each file once. */
  context: BrowserContext;
  /** Opens a page as the owner; without a path, an empty tab. */
  open(path?: string): Promise<Tab>;
  /** Opens a page as somebody else, or as nobody, at an address without account and mode. */
  openAs(person: TestPerson | undefined, path?: string): Promise<Tab>;
  /** Calls the API with a test key of the account. Fails unless the answer is 200. */
  post(path: string, body: object): Promise<Answer['json']>;
};

type DashboardOptions = {
  clock?: Clock;
  /** Settings of the gateway; a function, where they are known when the file begins. */
  environment?: () => Promise<Record<string, string>>;
  /** Before anybody signs in: a session would not live as long as what a clock runs through. */
  fill?(server: TestServer, account: TestAccount): Promise<void>;
};

/**
 * A gateway, its dashboard, a browser and an account for the tests of one file. After each test its tabs are closed, and what the browser
 * complained about fails it.
 */
export function openDashboard({ clock, environment, fill }: DashboardOptions = {}): Fixture {
  const fixture = {} as Fixture & { tabs: Tab[]; complaints: string[] };
  fixture.tabs = [];
  fixture.complaints = [];

  async function show(context: BrowserContext, path: string | undefined): Promise<Tab> {
    const tab = await context.newPage();
    fixture.tabs.push(tab);
    watchTab(tab, fixture.complaints);
    if (path !== undefined) await tab.goto((context === fixture.context ? fixture.place : fixture.home) + path);
    return tab;
  }

  beforeAll(async () => {
    const settings = { environment: (await environment?.()) ?? {} };
    const [built, server, browser] = await Promise.all([
      buildDashboard(),
      startServer({ purpose: 'dev', ...settings, ...(clock !== undefined && { clock }) }),
      openBrowser(),
    ]);
    const account = await server.account();
    await fill?.(server, account);
    const owner = await server.person(account.id, 'owner');
    const { baseUrl } = server;
    const home = `${baseUrl}/dashboard`;
    Object.assign(fixture, { built, server, browser, account, owner, home, place: `${home}/${account.id}/test` });
    fixture.context = await openContext(browser, { signedIn: { baseUrl, ...owner } });
    fixture.open = (path) => show(fixture.context, path);
    fixture.openAs = async (person, path) =>
      show(await openContext(browser, person && { signedIn: { baseUrl, ...person } }), path);
    fixture.post = async (path, body) => {
      const { status, json, text } = await account.test.post(path, body);
      if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
      return json;
    };
  });

  afterEach(async () => {
    const { tabs, complaints, context } = fixture;
    await Promise.all(tabs.splice(0).map((tab) => (tab.context() === context ? tab.close() : tab.context().close())));
    expect(complaints.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await fixture.browser?.close();
    await fixture.server?.stop();
  });
  return fixture;
}
