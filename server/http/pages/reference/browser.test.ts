import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageRequest } from '../../../base/page.ts';
import { catalog, describedBy } from '../../../catalog.ts';
import { openBrowser } from '../../../test/browser.ts';
import { isTorture } from '../../../test/torture.ts';
import { documentationPages } from '../documentation.ts';

/** The pages in a browser. They are served by themselves: no database and no certificate is needed. */

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One page of each kind. Axe needs seconds for one. */
const kinds = [
  '/',
  '/docs',
  '/docs/payments',
  '/docs/errors',
  '/docs/event_types',
  '/docs/pci',
  '/docs/guides/payments',
  '/docs/find?q=refund',
];

describe.runIf(isTorture)('in a browser', () => {
  let server: Server;
  let browser: Browser;
  let base: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    const pages = new Map(documentationPages(describedBy(catalog), 'dev').map((page) => [page.path, page]));
    server = createServer(async (request, response) => {
      const [path = '', query = ''] = request.url!.split('?');
      const rendered = await pages.get(path)?.render({ headers: request.headers, query } as PageRequest);
      response.writeHead(rendered?.status ?? 404, {
        ...rendered?.headers,
        'Content-Type': rendered?.contentType ?? '',
      });
      response.end(rendered?.bytes ?? rendered?.body);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Complaints of the browser, such as about its policy, fail the test that asks for them. */
  async function openTab(width: number, colorScheme: 'light' | 'dark', javaScriptEnabled = true): Promise<Tab> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled });
    const tab = await context.newPage();
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(String(error)));
    return tab;
  }

  /** What depends on colours and widths is looked at twice, the rest once. */
  const looks = [
    [1440, 'light', '{}'],
    [375, 'dark', "{ runOnly: ['color-contrast', 'scrollable-region-focusable', 'target-size'] }"],
  ] as const;

  test('nothing is wider than the screen, and axe finds nothing, in both colours and both widths', async () => {
    const tab = await openTab(1440, 'light');
    for (const path of kinds) {
      await tab.goto(base + path);
      for (const [width] of looks) {
        await tab.setViewportSize({ width, height: 900 });
        const overhang = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overhang, `${path}, ${width} px`).toBeLessThanOrEqual(0);
      }
      // By the protocol of the browser, which its policy for pages does not bind.
      await tab.evaluate(axe);
      for (const [width, colorScheme, rules] of looks) {
        await tab.setViewportSize({ width, height: 900 });
        await tab.emulateMedia({ colorScheme });
        const found = await tab.evaluate(
          `axe.run(${rules}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
        );
        expect(found, `${path}, ${width} px`).toEqual([]);
      }
    }
    await tab.context().close();
    expect(complaints).toEqual([]);
  });

  test('the search finds an operation with the keyboard alone', async () => {
    const tab = await openTab(1440, 'light');
    await tab.goto(`${base}/docs`);
    await tab.keyboard.press('/');
    await tab.keyboard.type('capture an authorized');
    await tab.locator('.results[aria-busy=false] a').first().waitFor();
    expect(await tab.locator('.found').textContent()).toMatch(
      /^([1-9]\d* found|The best \d+ of \d+; Enter shows more)$/,
    );
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(`${base}/docs/payments#payments.capture`);
    await tab.keyboard.press('/');
    await tab.keyboard.type('xyzzyxyzzy');
    await tab.getByText('Nothing found').waitFor();
    await tab.keyboard.press('Escape');
    expect(await tab.inputValue('#query')).toBe('');
    await tab.keyboard.type('chargeback');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(`${base}/docs/find?q=chargeback`);
    expect(await tab.locator('.results-page a').first().getAttribute('href')).toBe('/docs/guides/disputes');
    await tab.context().close();
    expect(complaints).toEqual([]);
  });

  test('the search asks for what was typed during a request when that is answered, and for nothing in between', async () => {
    const tab = await openTab(1440, 'light');
    const asked: (string | null)[] = [];
    const first = Promise.withResolvers<void>();
    await tab.route('**/docs/search.json?*', async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('q'));
      if (asked.length === 1) await first.promise;
      await route.continue();
    });
    await tab.goto(`${base}/docs`);
    await tab.locator('#query').pressSequentially('refund');
    expect(asked).toEqual(['r']);
    first.resolve();
    await tab.locator('.results a[href="/docs/guides/refunds"]').waitFor();
    expect(asked).toEqual(['r', 'refund']);
    await tab.context().close();
    expect(complaints).toEqual([]);
  });

  test('a sample is copied as it is shown', async () => {
    const tab = await openTab(1440, 'light');
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.goto(`${base}/docs/customers`);
    await tab.locator('figure.code button').first().click();
    await tab.getByText('Copied').waitFor();
    const shown = await tab.locator('figure.code code').first().textContent();
    expect(shown).toMatch(/^curl /);
    expect(await tab.evaluate('navigator.clipboard.readText()')).toBe(shown);
    await tab.context().close();
    expect(complaints).toEqual([]);
  });

  test('a language is chosen with the keyboard, for all samples and for the next page', async () => {
    const tab = await openTab(1440, 'light');
    await tab.goto(`${base}/docs/customers`);
    const shown = () => tab.locator('.tabs').last().locator('pre:visible code').textContent();
    expect(await shown()).toMatch(/^curl /);
    await tab.locator('.tabs input').first().focus();
    await tab.keyboard.press('ArrowRight');
    expect(await shown()).toContain("from '@tollgate/node'");
    await tab.keyboard.press('ArrowRight');
    expect(await shown()).toContain('from tollgate import Tollgate');
    await tab.goto(`${base}/docs/guides/customers`);
    expect(await tab.locator('.tabs').first().locator('pre:visible code').textContent()).toContain(
      'tollgate.customers.',
    );
    await tab.context().close();
    expect(complaints).toEqual([]);
  });

  test('without a script the page can be read, and the menu of a narrow screen opens', async () => {
    const tab = await openTab(375, 'light', false);
    await tab.goto(`${base}/docs/payments`);
    await tab.fill('#query', 'refund');
    await tab.press('#query', 'Enter');
    await tab.waitForURL(`${base}/docs/find?q=refund`);
    expect(await tab.locator('.results-page a').first().textContent()).toBe('Refunds');
    await tab.goto(`${base}/docs/payments`);
    expect(await tab.locator('h2[id="payments.create"]').isVisible()).toBe(true);
    expect(await tab.locator('#menu').isVisible()).toBe(false);
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
    expect(tab.url()).toBe(`${base}/docs/payments#content`);
    await tab.locator('.tabs label', { hasText: 'Python' }).first().click();
    expect(await tab.locator('.tabs').first().locator('pre:visible code').textContent()).toContain('import Tollgate');
    await tab.click('.menu-button');
    await tab.click('#menu a[href="/docs/refunds"]');
    await tab.waitForURL(`${base}/docs/refunds`);
    await tab.context().close();
  });
});
