import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seed } from '../../../test/torture.ts';
import { amountTerm } from './amounts.ts';
import { fieldsWith, fits, hasPhrases, termsOf } from './documents.ts';
import { readQuery } from './query.ts';
import { fold, termsIn, wordsIn } from './words.ts';

fc.configureGlobal({ seed, numRuns: 500 });

/** Letters of five scripts and more, with marks, punctuation and spaces. */
const scripts = [
  'aäÅéßøŁžIİıfiﬁ①½Z',
  'ЖйёЩыΣσςΟΔ',
  'فاطمةأإآمُحَمَّد',
  '東京都港区山田太郎々〇',
  'ひらがなカタカナコーヒーｶﾞﾊﾟ',
  '김지훈한국어',
  'กำहिन्दी',
  '0123456789٤٢',
  " \t\u00a0.-_/@+'&#",
];
const anyText = fc
  .array(
    fc.oneof(fc.constantFrom(...scripts.flatMap((one) => [...one])), fc.string({ unit: 'binary', maxLength: 1 })),
    {
      maxLength: 40,
    },
  )
  .map((characters) => characters.join(''));

/** Whether an object with a text is found by another text. */
const finds = (q: string, text: string) => {
  const terms = termsIn(text);
  return wordsIn(q).every((word) => terms.some((term) => term.startsWith(word)));
};

describe('folding', () => {
  test('twice is folding once', () => {
    fc.assert(fc.property(anyText, (text) => fold(fold(text)) === fold(text)));
  });

  const same: [string, string][] = [
    ['Édith', 'edith'],
    ['MÜLLER', 'Mu\u0308ller'],
    ['Łukasz', 'łukasz'],
    ['ﬁn', 'FIN'],
    ['Ｔｏｋｙｏ', 'tokyo'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ёлка', 'елка'],
    ['مُحَمَّد', 'محمد'],
    ['أحمد', 'احمد'],
    ['ｶﾞｲﾄﾞ', 'カイト'],
    ['한국', '\u1112\u1161\u11ab\u1100\u116e\u11a8'],
  ];
  test.each(same)('%s is %s', (one, other) => expect(fold(one)).toBe(fold(other)));

  test('keeps what people tell apart', () => {
    for (const [one, other] of [
      ['ö', 'ø'],
      ['김', '긴'],
      ['日', '曰'],
      ['a', 'b'],
    ])
      expect(fold(one!)).not.toBe(fold(other!));
  });
});

describe('words', () => {
  test('whatever begins a word of a text finds it', () => {
    const cut = fc.tuple(anyText, fc.nat(), fc.nat(40));
    fc.assert(
      fc.property(cut, ([text, at, length]) => {
        const words = text.split(/[\s\p{Z}]+/u);
        // Of a folded word, so that no letter is divided from its marks.
        const word = [...fold(words[at % words.length]!)];
        const start = word.slice(0, Math.max(1, length)).join('');
        expect(finds(start, text), `${start} in ${text}`).toBe(true);
      }),
    );
  });

  test('all of its words, in any order and spelling, find a text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(finds(text.split(' ').reverse().join(' '), text)).toBe(true);
        expect(finds(fold(text), text)).toBe(true);
      }),
    );
  });

  test('a term has no spaces and no punctuation, and is short', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const term of termsIn(text)) expect(term).toMatch(/^[\p{L}\p{N}]{1,40}$/u);
      }),
    );
  });

  const found: [text: string, finding: string[], notFinding: string[]][] = [
    ['Ada Lovelace', ['ada', 'lovelace ada', 'Lov A', 'LOVE'], ['da', 'velace', 'adalovelace', 'ada lovelaces']],
    ['Jean-Luc O’Brien', ['jean luc', 'jean-luc', 'jeanluc', "o'brien", 'obrien', 'brien'], ['ean', 'rien']],
    [
      'ada.lovelace@example.com',
      ['ada', 'lovelace', 'ada.lovelace@exa', '@example.com', 'example', 'com'],
      ['xample', 'adae'],
    ],
    ['ORD-2026/17', ['ord-2026/17', 'ORD2026', '2026', '2026/17', '17'], ['026', 'ord17']],
    ['Édith Müller', ['edith', 'muller', 'mu', 'MÜL'], ['mueller', 'uller']],
    ['Мария Иванова', ['мария', 'ИВАН', 'ива мар'], ['ария', 'maria']],
    ['فاطمة الزهراء', ['فاط', 'الزهراء', 'الز فاطمة'], ['طمة', 'زهراء']],
    ['東京都港区', ['東京', '京都', '都港区', '港', '区', '東京都港区'], ['京港', '大阪']],
    ['コーヒー豆 100g', ['コーヒー', 'ヒー', '豆', '100', 'コ 100g'], ['コヒ', '00g']],
    ['김지훈', ['김', '지훈', '김지훈', '훈'], ['김훈', '훈지']],
    ['東京Tower', ['東京', 'tower', '東京tower', 'tow'], ['ower']],
  ];
  test.each(found)('%s', (text, finding, notFinding) => {
    for (const q of finding) expect(finds(q, text), q).toBe(true);
    for (const q of notFinding) expect(finds(q, text), q).toBe(false);
  });
});

describe('an object', () => {
  const document = {
    texts: [
      { field: 'phone', text: '+44 20 7946 0000' },
      { field: 'number', text: 'INV-000042' },
      { field: 'description', text: 'Annual plan, second year' },
      { field: 'amount', money: { amount: 12_900, currency: 'eur' } },
    ],
  } as const;
  const fieldsOf = (q: string) => readQuery(q).words.map((word) => fieldsWith(document, word));

  const cases: [q: string, fields: string[][]][] = [
    ['+442079460000', [['phone']]],
    ['44 20 7946', [['phone'], ['phone'], ['phone']]],
    ['79460000', [['phone']]],
    ['inv-000042', [['number']]],
    ['000042', [['number']]],
    ['42', [['number']]],
    ['129', [['amount']]],
    ['129.00', [['amount']]],
    ['129,00', [['amount']]],
    ['€129', [['amount']]],
    ['129 EUR', [['amount']]],
    ['EUR 129.0', [['amount']]],
    ['$129', [[]]],
    ['12', [[]]],
    ['1290', [[]]],
    ['plan 129', [['description'], ['amount']]],
  ];
  test.each(cases)('is found by %s', (q, fields) => expect(fieldsOf(q)).toEqual(fields));

  test('has a phrase where its words follow each other', () => {
    for (const [q, has] of [
      ['"annual plan"', true],
      ['"plan, second"', true],
      ['"plan annual"', false],
      ['"nnual plan"', false],
      ['"annual  plan,"', true],
      ['"000042"', true],
      ['"00042"', false],
    ] as const)
      expect(hasPhrases(document, readQuery(q)), q).toBe(has);
    const han = { texts: [{ field: 'name', text: '山田太郎 Mail: taro@firm.example' }] } as const;
    for (const [q, has] of [
      ['"田太郎"', true],
      ['"太郎 mail"', true],
      ['"firm.example"', true],
      ['"irm.example"', false],
    ] as const)
      expect(hasPhrases(han, readQuery(q)), q).toBe(has);
  });

  test('has a limited number of terms, each once', () => {
    const text = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
    const terms = termsOf({ texts: [{ field: 'description', text: `${text} ${text}` }] });
    expect(terms).toHaveLength(60);
    expect(new Set(terms).size).toBe(60);
  });

  test('has its amount with the decimals of the currency', () => {
    const terms = ['eur', 'jpy', 'kwd'].map((currency) => amountTerm({ amount: 12_900, currency }));
    expect(terms).toEqual(['=129.00eur', '=12900.jpy', '=12.900kwd']);
    const finding = (q: string) => terms.map((term) => fits(readQuery(q).words[0]!, term));
    expect(finding('129')).toEqual([true, false, false]);
    expect(finding('¥12900')).toEqual([false, true, false]);
    expect(finding('12,900')).toEqual([false, true, true]);
    expect(finding('12.9')).toEqual([false, false, true]);
    expect(amountTerm({ amount: -5, currency: 'eur' })).toBe('=0.05eur');
  });
});
