import { createRequire } from 'node:module';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isolated, oneLine } from '../../base/one_line.ts';
import { catalog } from '../../catalog.ts';
import { moneyIn } from '../../locales/formats.ts';
import { localeOf, localeTags } from '../../locales/index.ts';
import { widthOf } from '../../mail/text.ts';
import { openBrowser } from '../browser.ts';
import { isTorture } from '../torture.ts';
import {
  type CustomerKind,
  mailToCustomer,
  mailToPerson,
  type PeopleKind,
  shop,
  toCustomers,
  toPeople,
} from './gallery.ts';

/** Every kind of mail: what it says in each language, what names do to it, and how it looks in a browser. */

const customerKinds = Object.keys(toCustomers) as CustomerKind[];
const peopleKinds = Object.keys(toPeople) as PeopleKind[];
const bytesMax = 30 * 1_024;

const wrong = /undefined|NaN|\[object|Invalid Date|\{\w+\}|\(missing\)|\u2068\u2069/;

/** Lines that are not addresses fit into 76 columns. */
function wideLines(text: string): string[] {
  return text.split('\n').filter((line) => widthOf(line) > 76 && !line.startsWith('https://'));
}

/** What a reader sees. */
function shownIn(html: string): string {
  const body = html
    .slice(html.indexOf('role="article"'))
    .replaceAll(/<style[\s\S]*?<\/style>|<!--[\s\S]*?-->|<[^>]*>/g, ' ');
  const plain = body.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');
  return plain.replaceAll('&nbsp;', ' ').replaceAll('&amp;', '&');
}

const withoutIsolates = (text: string) => text.replaceAll(/[\u2068\u2069\u200f]/g, '');
const words = (text: string) => withoutIsolates(text).replaceAll(/\s+/g, ' ');

describe.each(customerKinds)('%s', (kind) => {
  test.each(localeTags)('in %s: complete, in both parts, small, and in its direction', (tag) => {
    const locale = localeOf(tag);
    const { subject, text, html } = mailToCustomer(kind, locale, { isTest: true });
    for (const part of [subject, text, html]) expect(part).not.toMatch(wrong);
    expect(subject).toContain(isolated(shop.name, locale.dir));
    expect(subject).not.toMatch(/[\r\n]/);
    expect(wideLines(text)).toEqual([]);
    expect(Buffer.byteLength(html)).toBeLessThan(bytesMax);
    expect(html).toContain(`<html lang="${tag}" dir="${locale.dir}">`);
    expect(html.includes('text-align:right;padding-left')).toBe(locale.dir === 'ltr');
    expect(html.match(/<h1 /g)).toHaveLength(1);
    // What the HTML shows stands in the plain text too, paragraph by paragraph.
    const plain = words(text).replaceAll(' ', '');
    const shown = [...html.matchAll(/<(?:p|h1|a) [^>]*>([^<]*)<\/(?:p|h1|a)>/g)].map(([, content]) =>
      shownIn(content!),
    );
    expect(shown.length).toBeGreaterThan(2);
    for (const paragraph of shown) expect(plain).toContain(words(paragraph).replaceAll(' ', ''));
  });

  test('in no two languages but English is the subject the same', () => {
    const subjects = localeTags.map((tag) => withoutIsolates(mailToCustomer(kind, localeOf(tag)).subject));
    // Danish and Norwegian, Czech and Slovak, and languages with Latin words have some in common.
    expect(new Set(subjects).size).toBeGreaterThan(localeTags.length / 2);
  });
});

test('every kind of mail to people is declared, with its sample', () => {
  expect(catalog.personMailKinds.map(({ kind }) => kind).sort()).toEqual(peopleKinds.toSorted());
});

describe.each(peopleKinds)('%s', (kind) => {
  test('is complete, in both parts, and small', () => {
    const { subject, text, html } = mailToPerson(kind);
    for (const part of [subject, text, html]) expect(part).not.toMatch(wrong);
    expect(wideLines(text)).toEqual([]);
    expect(Buffer.byteLength(html)).toBeLessThan(bytesMax);
    expect(text).toContain(toPeople[kind].sample.url);
    expect(html).toContain(`href="${toPeople[kind].sample.url}"`);
    // A link that signs somebody in is not shown in lists of mails.
    for (const part of [subject, html.slice(0, html.indexOf('<h1'))]) expect(part).not.toContain('pay.example.com');
  });
});

const hostile = 'Eve</p><script>alert(1)</script>"\' \u202eevil\u2066\r\nBcc: victim@example.com\r\n\r\n<b>';
const names = [
  hostile,
  'Ω'.repeat(2_000),
  'שלום & (Ltd) "עולם"',
  '株式会社 <北極光>',
  'محمد',
  'a\u0000b\ud800',
  '{merchant}',
];

/** Every text of a sample, also within lists, is replaced; addresses, days, and what the code decides on are not. */
function poisoned(data: unknown, name: string, key = ''): unknown {
  const decided = ['url', 'currency', 'status', 'reason_', 'interval', 'object', 'role', 'mode', 'kind'];
  if (typeof data === 'string') return decided.includes(key) || ['declined', 'other'].includes(data) ? data : name;
  if (Array.isArray(data)) return data.map((one) => poisoned(one, name, key));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([inner, value]) => [inner, poisoned(value, name, inner)]));
}

/** Elements, and how often. */
function elementsOf(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, name = ''] of html.matchAll(/<(\/?[\w!][\w-]*)/g)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

describe.each(names)('names such as %j', (name) => {
  const branding = { ...shop, name, supportAddress: name, supportEmail: 'x@example.com' };
  const lines = name.split('\n').length;

  test.each(customerKinds)('stay names in %s', (kind) => {
    for (const tag of ['en', 'he'] as const) {
      const harmless = mailToCustomer(kind, localeOf(tag), {
        branding: { ...shop, supportAddress: 'x\n'.repeat(lines - 1) },
      });
      const data = poisoned(toCustomers[kind].sample, name) as object;
      const mail = mailToCustomer(kind, localeOf(tag), { branding, data });
      expectName(mail, name, harmless.html);
    }
  });

  test.each(peopleKinds)('stay names in %s', (kind) => {
    const mail = mailToPerson(kind, poisoned(toPeople[kind].sample, name) as object);
    expectName(mail, name, mailToPerson(kind).html);
  });
});

function expectName(
  { subject, text, html }: { subject: string; text: string; html: string },
  name: string,
  harmless: string,
) {
  expect(elementsOf(html)).toEqual(elementsOf(harmless));
  for (const part of [subject, text, html]) {
    expect(part).not.toMatch(/[\u202a-\u202e\u2066\u2067\u0000]/);
    expect(part.isWellFormed()).toBe(true);
    // As many isolates begin as end.
    expect(part.match(/\u2068/g)?.length).toBe(part.match(/\u2069/g)?.length);
  }
  expect(subject).not.toMatch(/[\r\n]/);
  expect(subject.length).toBeLessThan(400);
  expect(text).not.toMatch(/^(?:Bcc|\S*: )[^\n]*\r/m);
  expect(wideLines(text)).toEqual([]);
  const squeezed = (part: string) => words(part).replaceAll(' ', '');
  const shown = squeezed(oneLine(name)).slice(0, 150);
  expect(squeezed(text)).toContain(shown);
  expect(squeezed(shownIn(html))).toContain(shown);
}

test.each([
  ['jpy', 4890, '¥4,890'],
  ['kwd', 4890, 'KWD\u00a04.890'],
  ['huf', 4890, 'HUF\u00a048.90'],
  ['eur', Number.MAX_SAFE_INTEGER, '€90,071,992,547,409.91'],
])('amounts in %s have its decimals', (currency, amount, expected) => {
  const { text, html } = mailToCustomer('receipt', localeOf('en'), { data: { currency, amount_received: amount } });
  expect(moneyIn(localeOf('en'), { amount, currency })).toBe(expected);
  for (const part of [text, html]) expect(part).toContain(expected);
});

describe('an invoice', () => {
  const line = (amount: number) => ({ description: 'Seat', amount, period: { start: 0, end: 0 } });
  const invoiceOf = (count: number) => {
    const lines = Array.from({ length: count }, (_, at) => line(at + 1));
    const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
    const data = { lines, subtotal, discount: 0, credit_applied: 0, amount_due: subtotal };
    return mailToCustomer('invoice', localeOf('en'), { data });
  };

  test('of 12 lines has all of them; of more, 11 and one for the others, so that they add up to the total', () => {
    const amountsOf = (text: string) =>
      [...text.matchAll(/^(?:Seat|…) +€([\d.]+)$/gm)].map(([, amount]) => Number(amount));
    expect(amountsOf(invoiceOf(12).text)).toHaveLength(12);
    const amounts = amountsOf(invoiceOf(200).text);
    expect(amounts).toHaveLength(12);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(201, 5);
    expect(Buffer.byteLength(invoiceOf(999).html)).toBeLessThan(bytesMax);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    browser = await openBrowser();
    context = await browser.newContext();
    await context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  });
  afterAll(() => browser?.close());

  const all = [...customerKinds, ...peopleKinds];
  const combinations = [320, 700].flatMap((width) =>
    (['light', 'dark'] as const).flatMap((scheme) =>
      (['en', 'ar', 'ja'] as const).map((tag) => ({ width, scheme, tag })),
    ),
  );
  // Each kind in one of the combinations in every run, and in all of them under torture.
  const chosen = (at: number) => (isTorture ? combinations : [combinations[at % combinations.length]!]);

  test('axe finds nothing, nothing is wider than the screen, and nothing is asked for', async () => {
    const tab = await context.newPage();
    const asked: string[] = [];
    tab.on('request', (request) => asked.push(request.url()));
    for (const [at, kind] of all.entries())
      for (const { width, scheme, tag } of chosen(at)) {
        const html =
          kind in toCustomers
            ? mailToCustomer(kind as CustomerKind, localeOf(tag)).html
            : mailToPerson(kind as PeopleKind).html;
        await tab.setViewportSize({ width, height: 800 });
        await tab.emulateMedia({ colorScheme: scheme });
        await tab.goto('about:blank');
        await tab.setContent(html);
        const where = `${kind}, ${tag}, ${width} px, ${scheme}`;
        // A mail is shown within a page, which has landmarks.
        const options = {
          resultTypes: ['violations'],
          rules: { region: { enabled: false }, 'landmark-one-main': { enabled: false } },
        };
        const found = await tab.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + ' ' + nodes[0].failureSummary))`);
        expect(found, where).toEqual([]);
        expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth'), where).toBeLessThanOrEqual(0);
      }
    expect(asked.filter((url) => url !== 'about:blank')).toEqual([]);
    await tab.close();
  });

  test('a name that is longer than a line is divided', async () => {
    const tab = await context.newPage();
    await tab.setViewportSize({ width: 320, height: 800 });
    const name = 'W'.repeat(300);
    const data = poisoned(toCustomers.invoice.sample, name) as object;
    await tab.setContent(mailToCustomer('invoice', localeOf('en'), { branding: { ...shop, name }, data }).html);
    expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await tab.close();
  });
});
