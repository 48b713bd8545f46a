import { describe, expect, test } from 'vitest';
import type { MailBlock, MailFrame, MailMessage } from './message.ts';
import { renderMessage } from './render.ts';
import { widthOf, wrap } from './text.ts';

const frame: MailFrame = { language: 'en', direction: 'ltr', sender: 'Nordlicht', links: [] };

const mailOf = (blocks: MailBlock[], more: Partial<MailMessage> = {}, around: Partial<MailFrame> = {}) =>
  renderMessage({ subject: 'A mail', blocks, ...more }, { ...frame, ...around });

const order: MailBlock = {
  kind: 'amounts',
  label: 'Order summary',
  lines: [
    { name: 'Beans', note: 'Quantity: 2', amount: '€40.00' },
    { name: 'Shipping', amount: '€8.90' },
  ],
  sums: [{ label: 'Total', amount: '€48.90', isStrong: true }],
};

describe('the plain text', () => {
  test('has a paragraph for each block, amounts below each other, and links in lines of their own', () => {
    const blocks: MailBlock[] = [
      { kind: 'amount', amount: '€48.90' },
      { kind: 'heading', text: 'Payment confirmed' },
      { kind: 'paragraph', text: 'Thank you.' },
      order,
      { kind: 'details', rows: [{ label: 'Reference', value: 'pay_1' }] },
      { kind: 'button', text: 'See invoice', url: 'https://pay.example/i/1' },
      { kind: 'note', text: 'That is all.' },
    ];
    const around = {
      notice: 'Test mode.',
      supportEmail: 'help@shop.example',
      supportAddress: 'Torstraße 1\n10119 Berlin',
      links: [{ text: 'Terms', url: 'https://shop.example/terms' }],
    };
    expect(mailOf(blocks, {}, around).text).toBe(`Nordlicht

Test mode.

€48.90

Payment confirmed

Thank you.

Beans     €40.00
  Quantity: 2
Shipping   €8.90
Total     €48.90

Reference: pay_1

See invoice:
https://pay.example/i/1

That is all.

-- 

help@shop.example
Torstraße 1
10119 Berlin

Terms:
https://shop.example/terms
`);
  });

  test.each([
    ['words '.repeat(40), 4],
    ['x'.repeat(200), 3],
    ['コーヒー豆をありがとうございます。'.repeat(10), 5],
    [`${'long'.repeat(30)} and short`, 2],
    ['', 1],
  ])('wraps %j into %i lines', (text, count) => {
    const lines = wrap(text, 76);
    expect(lines).toHaveLength(count);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(76);
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  test('of a word without an end takes no longer than its length', () => {
    const timeOf = (length: number) => {
      const start = performance.now();
      wrap('x'.repeat(length), 76);
      return performance.now() - start;
    };
    const bestOf = (length: number) => Math.min(...Array.from({ length: 3 }, () => timeOf(length)));
    timeOf(10_000);
    // Ten times the length took a hundred times as long while each line looked at all the rest.
    expect(bestOf(200_000)).toBeLessThan(60 * Math.max(1, bestOf(20_000)));
  });

  test('puts an amount that leaves no room below its name', () => {
    const amount = `€${'9'.repeat(60)}`;
    const { text } = mailOf([{ ...order, lines: [{ name: 'Beans', amount }], sums: [] }]);
    expect(text).toContain(`Beans\n${amount}\n`);
  });

  test('runs from right to left, whatever a line begins with', () => {
    const { text } = mailOf([{ kind: 'amount', amount: '20.00 EUR' }], {}, { language: 'he', direction: 'rtl' });
    expect(text).toBe('\u200f\u2068Nordlicht\u2069\n\n\u200f\u206820.00 EUR\u2069\n');
  });
});

describe('the HTML', () => {
  const hostile = '</title><script>alert(1)</script>"\' onload=x &amp;\u202e\r\nBcc: x@example.com';
  const everywhere: MailBlock[] = [
    { kind: 'amount', amount: hostile },
    { kind: 'heading', text: hostile },
    { kind: 'paragraph', text: hostile },
    { ...order, label: hostile, lines: [{ name: hostile, note: hostile, amount: hostile }] },
    { kind: 'details', rows: [{ label: hostile, value: hostile }] },
    { kind: 'button', text: hostile, url: 'https://pay.example/"><script>?x=\r\n<b>' },
    { kind: 'note', text: hostile },
  ];
  const around = {
    sender: hostile,
    notice: hostile,
    supportEmail: '"><script>@x.example',
    supportAddress: hostile,
    links: [{ text: hostile, url: 'https://shop.example/"<>' }],
    logo: { src: 'cid:"><script>', width: 1, height: 1 },
    colors: { background: 'red"><script>', text: ';}' },
  };

  test('escapes every text, and a text stays what it is', () => {
    const { subject, text, html } = mailOf(everywhere, { subject: hostile, preheader: hostile }, around);
    expect([subject, text].filter((part) => /\u202e|\r|^Bcc:(?! x@example.com)/m.test(part))).toEqual([]);
    expect(subject).not.toContain('\n');
    expect(html).not.toMatch(/\u202e|\n *Bcc/);
    const named = [...html.matchAll(/<(\w+)((?:\s+[\w-]+="[^"]*")*)\s*>/g)].map(([, name]) => name);
    const kinds = 'a body br div h1 head html img meta p span style table td th title tr';
    expect([...new Set(named)].toSorted().join(' ')).toBe(kinds);
    // No element but these, no attribute but in quotes, and nothing that ends one early.
    expect(html.match(/<(?![/!])/g)).toHaveLength(named.length);
  });

  test('loads nothing: every address is a link, and the logo comes with the mail', () => {
    const { html } = mailOf(everywhere, {}, around);
    expect(html).not.toMatch(/url\(|@import|@font-face|<link|background=/);
    expect([...html.matchAll(/src="([^"]*)"/g)].map(([, source]) => source)).toEqual(['cid:&quot;&gt;&lt;script&gt;']);
  });

  test('says its language, direction and title in the head and in the body', () => {
    const { html } = mailOf([], { subject: 'נושא' }, { language: 'he', direction: 'rtl' });
    expect(html.match(/lang="he" dir="rtl"/g)).toHaveLength(2);
    expect(html).toContain('<title>נושא</title>');
    expect(html).toContain('aria-label="נושא"');
    expect(html).toContain('text-align:right');
    expect(html).not.toContain('text-align:left');
  });

  test('has the colours of the sender at the button', () => {
    const button: MailBlock = { kind: 'button', text: 'Pay', url: 'https://pay.example/1' };
    const { html } = mailOf([button], {}, { colors: { background: '#ffd800', text: '#000000' } });
    expect(html).toContain('bgcolor="#ffd800"');
    expect(html).toContain('color:#000000');
  });
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:x@example.com', '/relative', ''])(
  'a link to %j is refused',
  (url) => {
    expect(() => mailOf([{ kind: 'button', text: 'Pay', url }])).toThrow();
    expect(() => mailOf([], {}, { links: [{ text: 'Terms', url }] })).toThrow();
  },
);
