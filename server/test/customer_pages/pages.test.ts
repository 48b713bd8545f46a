import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../browser.ts';
import { isTorture } from '../torture.ts';
import { type Gallery, gallery, openGallery } from './gallery.ts';

/** Every page that customers see, in each state, in a browser: WCAG 2.2 AA, reflow, targets, motion, and what a screen reader is told. */

let pages: Gallery;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  pages = await openGallery();
  browser = await openBrowser();
  context = await browser.newContext({ reducedMotion: 'no-preference' });
  await context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
});
afterAll(async () => {
  await browser?.close();
  pages?.close();
});

const names = Object.keys(gallery);
const locales = ['en', 'ar'] as const;
const widths = [320, 1440] as const;
const schemes = ['light', 'dark'] as const;

async function open(tab: Tab, name: string, locale = 'en'): Promise<void> {
  await tab.goto(`${pages.base}/${locale}/${encodeURIComponent(name)}`);
  // The fields of a processor come after the page.
  await tab.waitForFunction('!document.querySelector("#fields[aria-busy]")');
}

/** What axe finds, with the rule of 24 pixels, which it leaves out by default. */
async function violations(tab: Tab): Promise<string[]> {
  const options = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };
  return tab.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + ' ' + nodes[0].failureSummary))`);
}

/** A target is what can be pressed, together with its label. A link in the middle of a sentence may be as small as its text. */
const smallTargets = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')].flatMap((one) => {
  const boxes = [one, ...(one.labels ?? [])].map((part) => part.getBoundingClientRect()).filter(({ width }) => width > 0);
  const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
  const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
  return boxes.length === 0 || (width >= 24 && height >= 24) ? [] : [one.outerHTML + ' ' + width + ' x ' + height];
})`;

const overflow = 'document.documentElement.scrollWidth - innerWidth';

/** Each state in one of the combinations in every run, and in all of them under torture. */
function combinationsOf(name: string) {
  const all = locales.flatMap((locale) =>
    widths.flatMap((width) => schemes.map((scheme) => ({ locale, width, scheme }))),
  );
  return isTorture ? all : [all[names.indexOf(name) % all.length]!];
}

describe('axe finds nothing, nothing is wider than the screen, and every target has 24 pixels', () => {
  test.each(names)('%s', async (name) => {
    const tab = await context.newPage();
    for (const { locale, width, scheme } of combinationsOf(name)) {
      const where = `${locale}, ${width} px, ${scheme}`;
      await tab.setViewportSize({ width, height: 900 });
      await tab.emulateMedia({ colorScheme: scheme });
      await open(tab, name, locale);
      expect(await violations(tab), where).toEqual([]);
      expect(await tab.evaluate(overflow), where).toBeLessThanOrEqual(0);
      expect(await tab.evaluate(smallTargets), where).toEqual([]);
    }
    await tab.close();
  });

  test('by a search that finds what is wrong', async () => {
    const tab = await context.newPage();
    await tab.setViewportSize({ width: 320, height: 900 });
    await open(tab, 'open');
    await tab.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<img src="data:,"><p><button>x</button></p><pre>${'wide'.repeat(50)}</pre>');
      document.querySelector('main button:last-of-type').style.cssText = 'all:unset;width:9px;height:9px;display:block;overflow:hidden'`);
    expect((await violations(tab)).join()).toContain('image-alt');
    expect(await tab.evaluate(overflow)).toBeGreaterThan(0);
    expect(await tab.evaluate(smallTargets)).toHaveLength(1);
    await tab.close();
  });
});

test.each(names)('it may do nothing that it need not, and its address is sent to nobody: %s', async (name) => {
  const { headers = {}, body } = await gallery[name]!('en', pages.base);
  expect(headers).toMatchObject({
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cross-Origin-Opener-Policy': name === 'the fields of a processor' ? 'same-origin-allow-popups' : 'same-origin',
  });
  const policy = headers['Content-Security-Policy']!.split('; ');
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]));
  expect(policy.join()).not.toMatch(/unsafe-|\*/);
  expect(body).toContain('<meta name="robots" content="noindex">');
});

test.each(names.filter((name) => name.includes('portal') || name.startsWith('an invoice')))(
  'it has at most 14 KiB as it is sent, which is one round trip: %s',
  async (name) => {
    for (const locale of locales) {
      const { body } = await gallery[name]!(locale, pages.base);
      expect(gzipSync(body).length, locale).toBeLessThanOrEqual(14 * 1_024);
    }
  },
);

test.each([320, 375])('a long reference stands on one background, at %i pixels', async (width) => {
  const tab = await context.newPage();
  await tab.setViewportSize({ width, height: 700 });
  await open(tab, 'a long reference');
  expect(await tab.evaluate('document.querySelector(".code").getClientRects().length')).toBe(1);
  expect(await tab.evaluate(overflow)).toBe(0);
  await tab.close();
});

describe('a screen reader is told', () => {
  const told = async (name: string): Promise<string> => {
    const tab = await context.newPage();
    await open(tab, name);
    const tree = await tab.locator('body').ariaSnapshot();
    await tab.close();
    return tree;
  };

  test('who is paid, for what, how much, and what to fill in', async () => {
    const tree = await told('open');
    for (const part of [
      'banner:',
      'Nordlicht',
      'Test mode: no real money is moved.',
      'region "Order summary":',
      '€48.90',
      'Espresso roast, 1 kg',
      'heading "Pay €48.90 – Nordlicht" [level=1]',
      'textbox "Email"',
      'textbox "Card number"',
      'textbox "Expiry date"',
      'textbox "Security code"',
      'button "Pay €48.90"',
    ])
      expect(tree).toContain(part);
  });

  test.each([
    ['wrong fields', ['alert', 'Please check the following', 'link "Card number: Please check this entry."']],
    ['declined', ['alert', 'Your card was declined. Please try another card.']],
    ['paid', ['heading "Payment confirmed" [level=1]', '€48.90', 'Visa •••• 4242', 'ORDER-7']],
    ['authorized', ['heading "Payment authorized" [level=1]', '€48.90']],
    ['an authorization that was canceled', ['heading "Payment canceled" [level=1]']],
    ['refunded', ['heading "Refunded" [level=1]', 'Refunded', '-€48.90']],
    ['confirming', ['heading "Confirming your payment" [level=1]', 'status', 'Please do not pay again.']],
    [
      'unfinished',
      [
        'heading "Your payment is not finished yet." [level=1]',
        'link "Continue"',
        'button "Use another payment method"',
      ],
    ],
    ['expired', ['heading "This page has expired." [level=1]', 'link "Back to Nordlicht"']],
    ['a link with a quantity', ['spinbutton "Quantity": "3"', '€36.00', 'button "Continue"']],
    ['the page of the simulator', ['radio "Visa •••• 4242: paid" [checked]', 'button "Pay EUR 48.90"']],
  ])('what has happened: %s', async (name, parts) => {
    const tree = await told(name);
    for (const part of parts) expect(tree).toContain(part);
  });
});

test.each(['wrong fields', 'declined', 'failed'])(
  'the focus is on what went wrong, without a script too: %s',
  async (name) => {
    for (const javaScriptEnabled of [true, false]) {
      const other = await browser.newContext({ javaScriptEnabled });
      const tab = await other.newPage();
      await open(tab, name);
      expect(await tab.evaluate('document.activeElement.id')).toBe('trouble');
      await other.close();
    }
  },
);

test.each([
  ['confirming', 1],
  ['open', 0],
])('nothing moves for who wants less motion: %s', async (name, moving) => {
  const tab = await context.newPage();
  const running = async () => {
    await tab.evaluate(`document.querySelector('#pay-button')?.setAttribute('aria-busy', 'true')`);
    return tab.evaluate('document.getAnimations().length');
  };
  await open(tab, name);
  expect(await running()).toBeGreaterThan(moving - 1);
  await tab.emulateMedia({ reducedMotion: 'reduce' });
  await open(tab, name);
  expect(await running()).toBe(0);
  await tab.close();
});

const checkouts = ['open', 'everything', 'many lines', 'the fields of a processor', 'a logo and a colour'];
test('nothing moves while the page loads, nor when the fields of a processor come', async () => {
  const tab = await context.newPage();
  await tab.addInitScript(`globalThis.shifted = [];
    const told = ({ value, sources }) => value + ' ' + sources.map(({ node }) => (node?.outerHTML ?? node?.parentElement?.outerHTML)?.slice(0, 99));
    new PerformanceObserver((list) => shifted.push(...list.getEntries().map(told))).observe({ type: 'layout-shift', buffered: true });`);
  for (const name of [...checkouts, 'a link with a quantity', 'a link with an amount'])
    for (const width of [375, 1440]) {
      await tab.setViewportSize({ width, height: 900 });
      await open(tab, name);
      await tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      expect(await tab.evaluate('shifted'), `${name}, ${width} px`).toEqual([]);
    }
  await tab.close();
});
