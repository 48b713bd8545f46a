import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import { isTorture } from '../../server/test/torture.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nothing fades or moves: what a test looks at is there at once. */
const atOnce = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets.push(sheet);
}`;

export type ContextOptions = { signedIn?: { baseUrl: string; cookie: string } };

export async function openContext(browser: Browser, { signedIn }: ContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    ignoreHTTPSErrors: true,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(atOnce);
  if (signedIn) {
    const [name = '', value = ''] = signedIn.cookie.split('=');
    await context.addCookies([
      { name, value, url: signedIn.baseUrl, httpOnly: true, secure: true, sameSite: 'Strict' },
    ]);
  }
  return context;
}

/**
 * What the browser says about failed requests is what the test itself asks for; and a mail is shown in a sandbox, which does not let in what
 * every page of a test begins with.
 */
const expected = [
  /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_(CONNECTION_RESET|INTERNET_DISCONNECTED))/,
  /^Blocked script execution in '[^']*\/mail\//,
];

/** Gathers what the browser complains about, such as its policy. */
export function watchTab(tab: Tab, complaints: string[]): void {
  tab.on('console', (message) => {
    const text = message.text();
    if (!expected.some((one) => one.test(text))) complaints.push(text);
  });
  tab.on('pageerror', (error) => complaints.push(String(error)));
  tab.on('response', async (response) => {
    if (response.ok() || !response.url().includes('/assets/')) return;
    complaints.push(`${response.url()} was answered ${response.status()}: ${await response.text().catch(String)}`);
  });
}

type Look = readonly [width: number, scheme: 'light' | 'dark', rules: string];

/** A frame shows a mail, which is looked at where mails are tested; its sandbox lets no script in. */
const everything = JSON.stringify({ iframes: false });
/** Everything is looked at once; then only what colours or the width can change. */
const only = (...rules: string[]) => JSON.stringify({ iframes: false, runOnly: rules });
const colours = only('color-contrast', 'link-in-text-block');
const layout = only('color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size');

/**
 * Both colours and both widths in every run; each with each, under torture. Another width shows other columns, and the right column beside the
 * sections or above them: what stands there may have another contrast, another size, or no room.
 */
const looks: readonly Look[] = [
  [1440, 'light', everything],
  [
    375,
    'dark',
    isTorture
      ? everything // a narrow screen has another navigation
      : layout,
  ],
  [1440, 'dark', colours],
  [375, 'light', colours],
  [768, 'light', layout],
  [1024, 'dark', layout],
  [2560, 'light', layout],
  [768, 'dark', colours],
  [1024, 'light', colours],
  [2560, 'dark', colours],
];
/** A dialog is as wide on every screen that is not narrow. */
const onTheWay = 7;

/** In both colours and both widths, without another load: axe finds nothing, and nothing is wider than the screen. */
export async function expectSound(tab: Tab, what: string, count = isTorture ? looks.length : 2): Promise<void> {
  // By the protocol of the browser, which its policy for pages does not bind.
  if (!(await tab.evaluate("'axe' in globalThis"))) await tab.evaluate(axe);
  for (const look of looks.slice(0, count)) await expectLook(tab, what, look);
  await tab.emulateMedia({ colorScheme: 'light' });
  await tab.setViewportSize({ width: 1440, height: 900 });
}

/** The dialogs and states that a walk comes to, under torture. `every_page.ts` goes to every page in every run. */
export async function expectSoundOnTheWay(tab: Tab, what: string): Promise<void> {
  if (isTorture) await expectSound(tab, what, onTheWay);
}

/** The headings of tables that are wider than their box, if it does not scroll. Some are for screen readers only. */
const cutTables = `[...document.querySelectorAll('table')].filter((table) => !table.closest('.visually-hidden'))
  .filter(({ offsetWidth, parentElement: box }) => offsetWidth > box.clientWidth && /hidden|clip/.test(getComputedStyle(box).overflowX))
  .map((table) => table.tHead?.innerText ?? '')`;

/** The titles of sections whose texts stand out of their box. */
const burst = `[...document.querySelectorAll('section')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((section) => section.querySelector('h2')?.innerText ?? section.className)`;

/** Times that are broken over two lines. A line can have several boxes. */
const broken = `[...document.querySelectorAll('time')]
  .filter((time) => new Set(Array.from(time.getClientRects(), ({ top }) => Math.round(top))).size > 1)
  .map((time) => time.innerText)`;

async function expectLook(tab: Tab, what: string, [width, colorScheme, rules]: Look): Promise<void> {
  await tab.emulateMedia({ colorScheme });
  await tab.setViewportSize({ width, height: 900 });
  await tab.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  const name = `${what}, ${width} px, ${colorScheme}`;
  // A chart follows the width of the screen a frame later.
  const overhang = () => tab.evaluate('document.documentElement.scrollWidth - innerWidth');
  await expect.poll(overhang, { message: `${name}: wider than the screen`, timeout: 5_000 }).toBeLessThanOrEqual(0);
  for (const [what, found] of [
    ['columns that nobody can reach', cutTables],
    ['wider than their section', burst],
    ['times in two lines', broken],
  ] as const)
    await expect.poll(() => tab.evaluate(found), { message: `${name}: ${what}`, timeout: 5_000 }).toEqual([]);
  const found = await tab.evaluate(
    `axe.run(${rules}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
  );
  expect(found, name).toEqual([]);
}
