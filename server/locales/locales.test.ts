import { describe, expect, test } from 'vitest';
import { chooseLocale } from './choose.ts';
import { countries } from './countries.ts';
import { documentTextKeys } from './document_texts.ts';
import { documentLocales } from './document_wording.ts';
import { countriesIn, dateIn, laterIn, momentIn, moneyIn, monthIn, numberIn, periodIn } from './formats.ts';
import { localeOf, locales, localeTags } from './index.ts';
import { mailEnglish, mailTextKeys } from './mail_texts.ts';
import { MailWords, mailLocales } from './mail_wording.ts';
import { portalEnglish, portalTextKeys } from './portal_texts.ts';
import { PortalWording, portalLocales } from './portal_wording.ts';
import { english, textKeys } from './texts.ts';
import { Wording } from './words.ts';

const scripts: Record<string, RegExp> = {
  ...{ bg: /\p{Script=Cyrillic}/u, el: /\p{Script=Greek}/u, ar: /\p{Script=Arabic}/u, he: /\p{Script=Hebrew}/u },
  ...{ ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u, zh: /\p{Script=Han}/u },
};
const scriptOf = (tag: string) => scripts[tag] ?? /\p{Script=Latin}/u;

const valuesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('texts', () => {
  test('are at most 60, and short', () => {
    expect(textKeys.length).toBeLessThanOrEqual(60);
    for (const tag of localeTags)
      for (const key of textKeys) expect(locales[tag][key]!.length, `${tag} ${key}`).toBeLessThanOrEqual(90);
  });

  test('are there in the 29 locales of the page', () => {
    const promised = 'bg cs da de el en en-GB es et fi fr hr hu it ja lt lv nb nl pl pt pt-BR ro sk sl sv zh ar he';
    expect(localeTags.toSorted()).toEqual(promised.split(' ').toSorted());
  });

  test.each(localeTags)('of %s are complete, have the values of the English ones, and no blank too much', (tag) => {
    const texts = locales[tag];
    expect(textKeys.filter((key) => texts[key] === undefined)).toEqual([]);
    expect(Object.keys(texts).filter((key) => !(key in english))).toEqual([]);
    for (const key of textKeys) {
      expect(valuesIn(texts[key]!), key).toEqual(valuesIn(english[key]));
      expect(texts[key], key).toBe(texts[key]!.trim().replaceAll(/ {2,}/g, ' '));
    }
  });

  test.each(localeTags)(
    'of %s end with a full stop where the English ones do, as sentences, and are written in its script',
    (tag) => {
      const ends = /[.。]$/;
      for (const key of textKeys) {
        expect(ends.test(locales[tag][key]!), key).toBe(ends.test(english[key]));
        const isWord = key !== 'email';
        if (isWord) expect(locales[tag][key], key).toMatch(scriptOf(tag));
      }
    },
  );

  test.each(localeTags)('of documents in %s are complete, short, and written in its script', (tag) => {
    const texts: Readonly<Record<string, string>> = documentLocales[tag];
    expect(Object.keys(texts).toSorted()).toEqual(documentTextKeys.toSorted());
    const script = tag === 'bg' ? /^[\p{Script=Cyrillic} ]+$/u : scriptOf(tag);
    for (const [key, text] of Object.entries(texts)) {
      expect(text, key).toMatch(script);
      expect(text.length, key).toBeLessThanOrEqual(40);
      expect(text, key).toBe(text.trim());
    }
  });

  test.each(localeTags)(
    'of the portal in %s are complete, short, with the values of the English ones, and in its script',
    (tag) => {
      const texts: Readonly<Record<string, string>> = portalLocales[tag];
      expect(Object.keys(texts).toSorted()).toEqual(portalTextKeys.toSorted());
      expect(portalTextKeys.length).toBeLessThanOrEqual(60);
      const ends = /[.。]$/;
      for (const key of portalTextKeys) {
        const text = texts[key]!;
        expect(text.replace('{date}', ''), key).toMatch(scriptOf(tag));
        expect(text.length, key).toBeLessThanOrEqual(90);
        expect(valuesIn(text), key).toEqual(valuesIn(portalEnglish[key]));
        expect(text, key).toBe(text.trim().replaceAll(/ {2,}/g, ' '));
        expect(ends.test(text), key).toBe(ends.test(portalEnglish[key]));
      }
    },
  );

  test('of the portal that are missing are shown in English, and marked as English', () => {
    const words = new PortalWording(localeOf('he'), {});
    expect(words.text('ends', { date: '<b>' })).toBe('<span lang="en" dir="ltr">Ends on <bdi>&lt;b&gt;</bdi></span>');
  });

  test.each(localeTags)('of mails in %s are complete, short, without values, and written in its script', (tag) => {
    const texts: Readonly<Record<string, string>> = mailLocales[tag];
    expect(Object.keys(texts).toSorted()).toEqual(mailTextKeys.toSorted());
    const ends = /[.。]$/;
    for (const key of mailTextKeys) {
      const text = texts[key]!;
      expect(text, key).toMatch(scriptOf(tag));
      expect(text.length, key).toBeLessThanOrEqual(90);
      expect(text, key).toBe(text.trim().replaceAll(/ {2,}|[{}]/g, ' '));
      expect(ends.test(text), key).toBe(ends.test(mailEnglish[key]));
    }
    // No text was forgotten in a copy of another locale.
    const own = mailTextKeys.filter((key) => texts[key] !== mailEnglish[key]);
    expect(own.length).toBeGreaterThanOrEqual(tag === 'en' ? 0 : tag === 'en-GB' ? 1 : mailTextKeys.length);
  });

  test('are escaped, and isolate their values', () => {
    const words = new Wording(localeOf('he'));
    expect(words.html('back', { merchant: 'A & <B>' })).toBe('חזרה אל <bdi>A &amp; &lt;B&gt;</bdi>');
    expect(words.plain('back', { merchant: 'A & B' })).toBe('חזרה אל A & B');
  });

  test('of mails isolate what is filled in, and shorten the name in a subject', () => {
    const words = new MailWords({ locale: localeOf('he'), merchant: `Nordlicht\r\nBcc: x ${'ab'.repeat(100)}` });
    expect(words.page('pay', { amount: '€20.00\u202e' })).toBe('תשלום \u2068€20.00\u2069');
    expect(words.subject(words.text('refund'))).toBe(
      `החזר כספי – \u2068Nordlicht Bcc: x ${'ab'.repeat(100)}`.slice(0, 'החזר כספי – '.length + 80).concat('…\u2069'),
    );
  });

  test('that are missing are shown in English, and marked as English', () => {
    const words = new Wording(localeOf('ar'), { email: 'البريد' });
    expect([words.html('email'), words.html('pay', { amount: '€1' })]).toEqual([
      'البريد',
      '<span lang="en" dir="ltr">Pay <bdi>€1</bdi></span>',
    ]);
    expect(words.plain('city')).toBe('City');
  });
});

describe('the locale', () => {
  test.each([
    [undefined, undefined, 'en', 'en-US'],
    ['auto', 'de-CH,de;q=0.9,en;q=0.8', 'de', 'de-CH'],
    ['auto', 'en;q=0.5, fr;q=0.7', 'fr', 'fr'],
    ['auto', 'tlh, sw;q=0.9, it;q=0.1', 'it', 'it'],
    ['auto', 'de;q=0, en-AU', 'en-GB', 'en-AU'],
    ['auto', 'en-US', 'en', 'en-US'],
    ['auto', 'pt-BR', 'pt-BR', 'pt-BR'],
    ['auto', 'pt-AO', 'pt', 'pt-AO'],
    ['auto', 'pt', 'pt', 'pt-PT'],
    ['auto', 'no', 'nb', 'nb'],
    ['auto', 'nn-NO', 'nb', 'nb-NO'],
    ['auto', 'iw', 'he', 'he'],
    ['auto', 'zh-Hant-TW', 'zh', 'zh-TW'],
    ['auto', '*', 'en', 'en-US'],
    ['auto', ',,;q=,\x00, de-', 'en', 'en-US'],
    ['auto', `${'x'.repeat(9)},`.repeat(1_000), 'en', 'en-US'],
    ['ja', 'de', 'ja', 'ja'],
    ['de', 'en, de-AT', 'de', 'de-AT'],
    ['xx', 'fi', 'fi', 'fi'],
  ])('%s of a session, %s of a browser: %s written as in %s', (wanted, accepted, tag, region) => {
    expect(chooseLocale(wanted, accepted)).toMatchObject({ tag, region });
  });

  test('has a direction', () => {
    expect(localeTags.filter((tag) => localeOf(tag).dir === 'rtl')).toEqual(['ar', 'he']);
  });
});

describe('formats', () => {
  const moment = Date.UTC(2026, 11, 2, 14, 5);

  test('amounts have the decimals of ISO 4217, and every digit', () => {
    const texts = ['eur', 'jpy', 'kwd', 'huf'].map((currency) => moneyIn(localeOf('en'), { amount: 2000, currency }));
    expect(texts).toEqual(['€20.00', '¥2,000', 'KWD\u00a02.000', 'HUF\u00a020.00']);
    expect(moneyIn(localeOf('de'), { amount: 123456789012345, currency: 'eur' })).toBe('1.234.567.890.123,45\u00a0€');
  });

  test('dates, periods and numbers', () => {
    const gb = localeOf('en-GB');
    expect([dateIn(gb, moment), momentIn(gb, moment)]).toEqual(['2 Dec 2026', '2 Dec 2026, 14:05 UTC']);
    expect([30, 60, 61, 7_200].map((seconds) => laterIn(gb, seconds))).toEqual([
      ...['in 30 seconds', 'in 1 minute', 'in 2 minutes', 'in 2 hours'],
    ]);
    expect([monthIn(gb, { year: 2026, month: 2 }), monthIn(localeOf('ja'), { year: 2026, month: 12 })]).toEqual([
      ...['02/2026', '2026/12'],
    ]);
    expect(periodIn(gb, { interval: 'month', count: 1 })).toBe('month');
    expect(periodIn(localeOf('pl'), { interval: 'month', count: 5 })).toBe('5 miesięcy');
    expect(numberIn(localeOf('de'), 1_000)).toBe('1.000');
  });

  test.each(localeTags)('countries in %s: all, by name, in its order', (tag) => {
    const all = countriesIn(localeOf(tag));
    expect(all.map(({ code }) => code).toSorted()).toEqual(countries.toSorted());
    expect(all.filter(({ code, name }) => code === name)).toEqual([]);
  });

  test('any number of regions takes a limited number of formats', () => {
    for (let at = 0; at < 5_000; at++)
      expect(
        dateIn({ tag: 'en', dir: 'ltr', region: `en-${String(at % 1_000).padStart(3, '0')}` }, moment),
      ).toBeDefined();
  });
});
