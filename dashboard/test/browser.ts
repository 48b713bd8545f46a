import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page as Tab } from 'playwright-core';
import { expect } from 'vitest';

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One for a file; each test opens a context. */
export async function openBrowser(): Promise<Browser> {
  if (installed === undefined)
    throw new Error(
      'The tests of the dashboard need a browser: install Chromium (apt-get install chromium) or Chrome.',
    );
  return chromium.launch({ executablePath: installed, args: ['--no-sandbox'] });
}

export type Look = { width?: number; scheme?: 'light' | 'dark'; storageState?: Stored };
export type Stored = Awaited<ReturnType<BrowserContext['storageState']>>;

/** What the browser says about failed requests is what the test itself asks for. */
const expected = /^Failed to load resource: the server responded with a status of 40[0-4]/;

/** A tab of its own. What the browser complains about, such as its policy, is gathered. */
export async function openTab(browser: Browser, { width = 1440, scheme = 'light', storageState }: Look = {}) {
  const context = await browser.newContext({
    ...{ viewport: { width, height: 900 }, colorScheme: scheme, ignoreHTTPSErrors: true },
    ...{ locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' as const },
    ...(storageState && { storageState }),
  });
  context.setDefaultTimeout(60_000);
  const tab = await context.newPage();
  const complaints: string[] = [];
  tab.on('console', (message) => {
    if (!expected.test(message.text())) complaints.push(message.text());
  });
  tab.on('pageerror', (error) => complaints.push(String(error)));
  return { tab, complaints };
}

/** Axe finds nothing, and nothing is wider than the screen. */
export async function expectSound(tab: Tab, what: string, rules = '{}'): Promise<void> {
  const overhang = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overhang, `${what} is wider than the screen`).toBeLessThanOrEqual(0);
  // By the protocol of the browser, which its policy for pages does not bind.
  if (!(await tab.evaluate("'axe' in globalThis"))) await tab.evaluate(axe);
  const found = await tab.evaluate(
    `axe.run(${rules}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
  expect(found, what).toEqual([]);
}
