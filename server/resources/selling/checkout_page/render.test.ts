import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { localeTags } from '../../../locales/index.ts';
import { ownScripts, sha256 } from './document.ts';
import { renderCheckout, renderMissing, renderRefusal } from './render.ts';
import type { PageView } from './view.ts';
import { openView, views } from './views.fixture.ts';

const context = {
  acceptLanguage: 'en',
  address: '/pay/token',
  formToken: 'form-token',
  now: openView.expiresAt - 60_000,
};
const render = (view: PageView, more: object = {}) => renderCheckout(view, { ...context, ...more });
const scriptsIn = (html: string) => [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text!);

describe('the page', () => {
  test('of one line in English has at most 14 KB of HTML and CSS and 6 KB of script, gzipped', () => {
    const { body } = render(openView);
    const [script = ''] = scriptsIn(body);
    expect(gzipSync(body.replace(script, '')).length).toBeLessThanOrEqual(14 * 1_024);
    expect(gzipSync(script).length).toBeLessThanOrEqual(6 * 1_024);
  });

  test.each(Object.entries<PageView>(views))('allows exactly what it has: %s', (_, view) => {
    const { body, headers = {} } = render(view);
    const policy = headers['Content-Security-Policy']!;
    expect(policy).toMatch(/^default-src 'none'; /);
    for (const text of scriptsIn(body)) expect(policy).toContain(`'${sha256(text)}'`);
    expect(ownScripts.map(({ hash }) => hash)).toEqual(expect.arrayContaining(scriptsIn(body).map(sha256)));
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body)!;
    expect(policy).toContain(`style-src '${sha256(style)}'`);
    for (const part of ["base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(body).not.toMatch(/ style=| on\w+="|<link rel="(?!icon)|@font-face|url\(/);
    // Nothing is loaded from another host: addresses of others are links.
    expect(body.replaceAll(/<a [^>]*>/g, '')).not.toMatch(/https?:\/\//);
    expect(headers).toMatchObject({ 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' });
  });

  test('lists the hosts of the processor, the shop and its logo, and no others', () => {
    const hosts = [
      { origin: 'https://js.processor.test', use: 'script', reason: '' },
      { origin: 'https://api.processor.test', use: 'connect', reason: '' },
      { origin: 'https://js.processor.test', use: 'frame', reason: '' },
    ] as const;
    const way = {
      kind: 'fields',
      script: 'https://js.processor.test/v1',
      hosts,
      publicConfig: { key: `'"<` },
    } as const;
    const logo = { path: '/logos/one.png', width: 100, height: 50 };
    const merchant = { ...openView.merchant, logo };
    const { body, headers } = render({ ...openView, merchant, ways: [way], successUrl: 'https://shop.test/a?b#c' });
    const policy = headers!['Content-Security-Policy']!;
    const directives = Object.fromEntries(policy.split('; ').map((one) => one.split(/ (.*)/s).slice(0, 2)));
    expect(directives).toMatchObject({
      'script-src': expect.stringMatching(/^'sha256-\S+' 'sha256-\S+' https:\/\/js\.processor\.test$/),
      'connect-src': "'self' https://api.processor.test",
      'frame-src': 'https://js.processor.test',
      'img-src': "'self' data:",
      'form-action': "'self' https://shop.test",
    });
    expect(body).toContain('<img src="/logos/one.png" alt="" width="64" height="32">');
    expect(body).toContain(`data-config='{&quot;key&quot;:&quot;&#39;\\&quot;&lt;&quot;}'`);
  });

  test('shows texts of the merchant and the customer as texts', () => {
    const evil = `<img src=x onerror=alert(1)>"'&`;
    const view = {
      ...openView,
      merchant: { ...openView.merchant, name: evil, supportAddress: evil },
      lines: [{ name: evil, quantity: 1, amount: 1 }],
      description: evil,
      ...{ coupon: { code: evil }, allowsCoupons: true },
      collects: { email: true, name: true },
    };
    const { body } = render(view, {
      typed: { email: evil, name: evil },
      problems: [{ field: 'email', text: 'invalid' }],
    });
    expect(body).not.toContain('<img src=x');
    expect(body.split('&lt;img src=x').length).toBeGreaterThan(6);
  });

  test('says amounts in the currency, and the colour of the merchant', () => {
    expect(render({ ...openView, currency: 'kwd', total: 12_500 }).body).toContain('KWD\u00a012.500');
    expect(render(views['a long name in yen']).body).toContain('Pay <bdi>¥1,280</bdi>');
    const colors = { background: '#4f46e5', text: '#ffffff' };
    const { body } = render({ ...openView, merchant: { name: 'A', colors } });
    expect(body).toContain(':root:root{--accent:#4f46e5;--on-accent:#ffffff}');
  });

  test('never shows a card again, and focuses what is wrong', () => {
    const problems = [{ field: 'number', text: 'invalid' }];
    const { body, status } = render(openView, { problems, typed: { email: 'ada@test.test', number: '4242' } });
    expect(status).toBe(400);
    expect(body).toContain('value="ada@test.test"');
    expect(body).not.toContain('4242');
    expect(body).toMatch(/<div id="trouble"[^>]*role="alert" tabindex="-1"[^>]* autofocus>/);
    expect(body).toContain('<a href="#number">Card number: Please check this entry.</a>');
    expect(body).toMatch(/id="number"[^>]* aria-invalid="true" aria-describedby="number-problem"/);
  });

  test.each([
    ['declined', 'Your card was declined. Please try another card.'],
    ['expired', 'Your card has expired. Please try another card.'],
    ['wrong_code', 'Security code: This code is not valid. Please try another card.'],
    ['try_another', 'Please try another card.'],
  ] as const)('says of a decline no more than %s', (reason, text) => {
    expect(render({ ...openView, lastTry: { state: 'declined', reason } }).body).toContain(`autofocus><p>${text}</p>`);
  });

  test.each([
    ['paid', 'Payment confirmed', /Visa •••• 4242[\s\S]*ORDER-7/],
    ['confirming', 'Confirming your payment', /Please do not pay again/],
    ['unfinished', 'Your payment is not finished yet.', /Continue[\s\S]*Use another payment method/],
    ['expired', 'This page has expired.', /Back to/],
  ] as const)('that can no longer be paid has no card fields: %s', (name, title, more) => {
    const { body, status } = render(views[name]);
    expect([status, body.includes(`>${title}</h1>`)]).toEqual([200, true]);
    expect(body).toMatch(more);
    expect(body).not.toMatch(/cc-number|value="pay"/);
  });

  test.each([
    ['paid', 'Payment confirmed', '€48.90', true],
    ['a part was captured, and a part of it refunded', 'Payment confirmed', '€30.00', true],
    ['refunded', 'Refunded', '€48.90', true],
    ['authorized', 'Payment authorized', '€48.90', false],
    ['an authorization that was canceled', 'Payment canceled', '€48.90', false],
  ] as const)('says what became of the money: %s', (name, title, amount, isReceipt) => {
    const { body } = render(views[name]);
    expect(body).toContain(`<h1 tabindex="-1">${title}</h1><p class="amount"><bdi>${amount}</bdi></p>`);
    expect(body).toContain(`<title>${title} – Nordlicht</title>`);
    expect(body.includes('id="print"')).toBe(isReceipt);
    if (title !== 'Payment confirmed') expect(body).not.toContain('Payment confirmed');
  });

  test('says what was paid of the total, and what was given back', () => {
    const rows = (name: keyof typeof views) =>
      [...render(views[name]).body.matchAll(/<dt>(?:<[^>]*>)?([^<]*).*?<bdi>([^<]*)<\/bdi>/g)].map(([, label, sum]) => [
        label,
        sum,
      ]);
    expect(rows('a part was captured, and a part of it refunded').slice(0, 3)).toEqual([
      ['Total', '€48.90'],
      ['Amount paid', '€30.00'],
      ['Refunded', '-€5.00'],
    ]);
    expect(rows('refunded').slice(0, 2)).toEqual([
      ['Total', '€48.90'],
      ['Refunded', '-€48.90'],
    ]);
    expect(rows('paid').map(([label]) => label)).not.toContain('Refunded');
  });

  test('offers a saved card that has expired last, and does not choose it', () => {
    const [old, good] = [
      { id: 'pm_old', brand: 'visa', last4: '1111', expMonth: 10, expYear: 2026 },
      { id: 'pm_good', brand: 'visa', last4: '4242', expMonth: 11, expYear: 2026 },
    ];
    const radios = (saved: PageView['saved']) =>
      [...render({ ...openView, saved }).body.matchAll(/name="method" value="(\w+)"( checked)?/g)].map(
        ([, id, checked = '']) => `${id}${checked}`,
      );
    expect(radios([old!, good!])).toEqual(['pm_good checked', 'pm_old', 'new']);
    expect(radios([old!])).toEqual(['pm_old', 'new checked']);
  });

  test('asks for what the session collects, with the tokens that browsers fill in by', () => {
    const { body } = render(views.everything);
    for (const token of [
      'email',
      'name',
      'tel',
      'cc-number',
      'cc-exp',
      'cc-csc',
      'billing country',
      'billing postal-code',
    ])
      expect(body).toContain(`autocomplete="${token}"`);
    expect(body.indexOf('•••• 4242')).toBeLessThan(body.indexOf('Use another payment method'));
    expect(render(openView).body).not.toMatch(/autocomplete="(name|tel|billing)/);
  });

  test('shows an email that is known, and does not ask for it', () => {
    const { body } = render(views['a known email']);
    expect(body).toContain('<bdi>ada@nordlicht.test</bdi>');
    expect(body).not.toContain('id="email"');
    expect(render(openView).body).not.toContain('class="known"');
  });

  test.each([
    ['open', false],
    ['a page of the processor', true],
  ] as const)('points onwards where the button leads to another page: %s', (name, points) => {
    expect(render(views[name]).body.includes('class="onwards"')).toBe(points);
  });

  test('opens what is to be read beside the form in another tab', () => {
    const links = render(views.everything).body.match(/<a href="https:\/\/nordlicht.test\/terms"[^>]*>/g);
    expect(links).toHaveLength(2);
    for (const link of links!) expect(link).toContain('target="_blank" rel="noreferrer"');
  });

  test.each(localeTags)('is written in %s', (locale) => {
    const { body } = render({ ...views.everything, locale });
    const dir = locale === 'ar' || locale === 'he' ? 'rtl' : 'ltr';
    expect(body).toContain(`<html lang="${locale}" dir="${dir}">`);
    const text = body.replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, '');
    expect(text).not.toMatch(/\{\w+\}|undefined|<span lang="en"/);
  });
});

describe('without a session', () => {
  test('nothing is revealed, and no script runs', () => {
    const { status, body, headers } = renderMissing('de');
    expect([status, scriptsIn(body)]).toEqual([404, []]);
    expect(body).toContain('Diese Seite ist nicht verfügbar.');
    expect(headers!['Content-Security-Policy']).not.toContain('script-src');
  });

  test('a refusal says when to try again', () => {
    expect(renderRefusal(429, 40, 'en').body).toContain('Please try again <bdi>in 40 seconds</bdi>.');
    expect(renderRefusal(500, 1, 'en')).toMatchObject({
      status: 500,
      body: expect.stringContaining('Something went wrong'),
    });
  });
});
