import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page as Tab } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectSound } from './browser.ts';
import { heading, openDashboard } from './fixture.ts';

const dashboard = openDashboard();

test('live mode is told from test mode, and says how to get a processor', async () => {
  // In a context of its own: a new tab begins in the mode of the last one.
  const tab = await dashboard.openAs(dashboard.owner, '/payments');
  await tab.getByText('Test mode: no real money moves').waitFor();
  const colour = () =>
    tab.evaluate("getComputedStyle(document.querySelector('[role=status][data-mode]')).backgroundColor");
  const test = await colour();
  await tab.getByText('Live', { exact: true }).click();
  await tab.getByText('No processor takes live payments yet').waitFor();
  await tab.getByText('No live payments yet').waitFor();
  expect(await colour()).not.toBe(test);
  await tab.setViewportSize({ width: 375, height: 900 });
  const copy = await tab.getByRole('button', { name: 'Copy the command' }).first().boundingBox();
  expect(copy!.x + copy!.width).toBeLessThan(375);
});

test('the palette opens by the keyboard, and leads to a page and to an object', async () => {
  const { id: customer } = await dashboard.post('/v1/customers', { name: 'Ada' });
  const tab = await dashboard.open('/payments');
  await heading(tab, 'Payments').waitFor();
  await tab.keyboard.press('Control+k');
  await tab.getByPlaceholder('Find a payment').fill('custom');
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${dashboard.home}/customers`);
  await heading(tab, 'Customers').waitFor();
  await tab.keyboard.press('/');
  await tab.getByPlaceholder('Find a payment').fill(customer);
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${dashboard.home}/customers/${customer}`);
});

/** Whether the navigation shows the link of a page, which may be far down. */
async function isInSight(tab: Tab, name: string): Promise<boolean> {
  const box = await tab.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).boundingBox();
  return box !== null && box.y > 0 && box.y + box.height <= 900;
}

test('the frame is sound: the menu of the account, a page that does not exist, the navigation of a narrow screen', async () => {
  const tab = await dashboard.open('/nowhere');
  await tab.getByText('There is no such page').waitFor();
  await expectSound(tab, 'nowhere');
  await tab.getByRole('button', { name: /^Account/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await expectSound(tab, 'the menu of the account');
  await tab.getByRole('menuitem', { name: 'My profile' }).click();
  await heading(tab, 'My profile').waitFor();
  await expect.poll(() => isInSight(tab, 'My profile')).toBe(true);
  await tab.setViewportSize({ width: 375, height: 900 });
  await tab.getByRole('button', { name: 'Navigation' }).click();
  await tab.getByRole('link', { name: 'Customers' }).click();
  await heading(tab, 'Customers').waitFor();
});

test('the first page loads less than 300 KB, all of it from the gateway', async () => {
  const tab = await dashboard.openAs(dashboard.owner);
  const asked: string[] = [];
  tab.on('request', (request) => asked.push(request.url()));
  await tab.goto(`${dashboard.home}/payments`);
  await tab.getByText('No test payments yet').waitFor();
  expect(asked.filter((url) => !url.startsWith(dashboard.server.baseUrl))).toEqual([]);
  const assets = asked.filter((url) => url.includes('/dashboard/assets/')).map((url) => url.split('/').at(-1)!);
  expect(assets.length).toBeGreaterThan(1);
  const bytes = assets.map((name) => statSync(join(dashboard.built, 'assets', `${name}.gz`)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300 * 1_024);
});

test('every component has its styles', () => {
  const read = (pattern: RegExp) =>
    readdirSync(join(dashboard.built, 'assets'))
      .filter((name) => pattern.test(name))
      .map((name) => readFileSync(join(dashboard.built, 'assets', name), 'utf8'))
      .join('\n');
  const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
  const styles = createRequire(import.meta.url).resolve('@mantine/core/styles.css');
  const [inScripts, inStyles] = [classesIn(read(/\.js$/)), classesIn(read(/\.css$/))];
  const exist = [...classesIn(readFileSync(styles, 'utf8'))];
  expect(exist.filter((name) => inScripts.has(name) && !inStyles.has(name))).toEqual([]);
  expect(exist.filter((name) => inStyles.has(name)).length).toBeGreaterThan(50);
});

test('assets are compressed, kept for ever, and never another file', async () => {
  const name = /assets\/(index-[\w-]+\.js)/.exec(readFileSync(join(dashboard.built, 'index.html'), 'utf8'))![1]!;
  const answer = await dashboard.server.anonymous.get(`/dashboard/assets/${name}`, {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    vary: 'Accept-Encoding',
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': String(statSync(join(dashboard.built, 'assets', `${name}.gz`)).size),
  });
  for (const path of ['nothing.js', '..%2Findex.html', '%2e%2e%2f%2e%2e%2fpackage.json'])
    expect((await dashboard.server.anonymous.get(`/dashboard/assets/${path}`)).status, path).toBe(404);
});
