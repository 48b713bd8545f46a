import { readFileSync } from 'node:fs';
import { create } from 'fontkit';
import { afterAll, describe, expect, test } from 'vitest';
import { Unavailable } from '../base/errors.ts';
import { fastest } from '../test/fastest.ts';
import { type FamilyName, familyNames, filesOf, missingFamilies } from './fonts/families.ts';
import { FontLibrary } from './fonts/library.ts';
import { trueTypeOf } from './fonts/woff2.ts';
import { Documents } from './index.ts';
import { readPdf } from './read_pdf.fixture.ts';
import { renderSheet } from './render.ts';
import { rowsOf, sheetWith } from './sheet.fixture.ts';
import { visualRuns } from './text/direction.ts';

const library = new FontLibrary();

/** The lines of a document without spaces, and without what dots and joins of letters leave in a text that is read back. */
async function linesIn(bytes: Uint8Array): Promise<string[][]> {
  const { pages } = await readPdf(bytes);
  return pages.map((lines) => lines.map((line) => line.normalize('NFKC').replaceAll(/[\u0000-\u0020]/g, '')));
}

describe('a document', () => {
  test.each<[string, string, string[]?]>([
    ['Latin', 'Zoë Šťastná Nguyễn Văn Ướt'],
    ['letters with marks of their own', 'Ame\u0301lie'],
    ['Greek', 'Ελένη Παπαδοπούλου'],
    ['Cyrillic', 'Ђорђе Щукин'],
    ['Japanese', '山田太郎 カフェ'],
    ['Chinese', '王小明 北京市朝阳区'],
    ['Korean', '김철수 서울'],
    ['Arabic', 'محمد بن سلمان', ['سلمان', 'بن', 'محمد']],
    ['Hebrew', 'שלום כהן', ['כהן', 'שלום']],
    ['Arabic letters that differ by their dots', 'بتثني حجخ', ['حجخ', 'بتثني']],
  ])('shows a name in %s', async (_, name, fromTheLeft = [name]) => {
    const blocks = [{ heading: 'Bill to', lines: ['first', name] }];
    const [page] = await linesIn(await renderSheet(sheetWith({ blocks }), library));
    expect(page).toContain(fromTheLeft.join('').normalize('NFC').replaceAll(' ', ''));
  });

  test.each([
    ['from right to left, with what is not', 'שלום (123) Ltd', ['Ltd', '(123)', 'שלום']],
    ['from left to right, with what is not', 'Ltd שלום עולם 7', ['Ltd', '7', 'עולם', 'שלום']],
  ])('orders the words of a line %s', async (_, name, words) => {
    const blocks = [{ heading: 'Bill to', lines: ['first', name] }];
    const { pages } = await readPdf(await renderSheet(sheetWith({ blocks }), library));
    const line = pages[0]!.find((one) => one.includes('Ltd'))!;
    const positions = words.map((word) => line.indexOf(word));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  test.each([
    ['between Arabic letters', 'مبلغ ١٢٫٣٤٥ د', '١٢٫٣٤٥'],
    ['between Latin letters', 'sum ١٨/١١/٢٠٢٦ paid', '١٨/١١/٢٠٢٦'],
    ['between Hebrew letters', 'שלום 12,345.60 עולם', '12,345.60'],
  ])('writes numbers from left to right %s', async (_, name, number) => {
    const blocks = [{ heading: 'Bill to', lines: ['first', name] }];
    const { pages } = await readPdf(await renderSheet(sheetWith({ blocks }), library));
    expect(pages[0]!.join('\n')).toContain(number);
  });

  test('from right to left is a mirror of one from left to right', async () => {
    const [page] = await linesIn(await renderSheet(sheetWith({ language: 'he', direction: 'rtl' }), library));
    expect(page).toContain('AmountUnitpriceQuantityDescription');
  });

  test('of many rows has them all, with the head and the number on every page', async () => {
    const rows = rowsOf(200);
    const sheet = sheetWith({ table: { ...sheetWith().table!, rows } });
    const pages = await linesIn(await renderSheet(sheet, library));
    expect(pages.length).toBeGreaterThan(8);
    for (const [at, page] of pages.entries()) {
      expect(page.filter((line) => line === 'DescriptionQuantityUnitpriceAmount')).toHaveLength(1);
      expect(page.join()).toContain(`${at + 1}/${pages.length}`);
      expect(page.join()).toContain('Ada&SonsGmbH,Wien');
    }
    const services = pages.flat().flatMap((line) => /Service(\d+)of/.exec(line)?.[1] ?? []);
    expect(services.map(Number)).toEqual(rows.map((_, at) => at + 1));
  });

  test('wraps what is too long: words, a name without spaces, a text that is longer than a page', async () => {
    const name = 'Donaudampfschifffahrtsgesellschaft'.repeat(12);
    const text = Array.from({ length: 1_200 }, (_, at) => `word${at}`).join(' ');
    const table = { ...sheetWith().table!, rows: [{ cells: [text, '1', '€1.00', '€1.00'] }, ...rowsOf(1)] };
    const pages = await linesIn(
      await renderSheet(sheetWith({ table, blocks: [{ heading: 'Bill to', lines: [name] }] }), library),
    );
    const all = pages.flat().join('');
    expect(all).toContain(name);
    for (const word of text.split(' ')) expect(all).toContain(word);
    expect(pages.length).toBeGreaterThan(2);
  });

  test('shows a box for a character that no font has, and the rest', async () => {
    const blocks = [{ heading: 'Bill to', lines: ['first', 'Ada 😀 L.'] }];
    const { pages } = await readPdf(await renderSheet(sheetWith({ blocks }), library));
    expect(pages[0]).toContain('Ada \u0000 L.');
  });

  test.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['line ends', 'a\r\nb\u2028c\n\n'],
    ['controls', 'a\u0000b\u0007c\td'],
    ['half a character', 'a\ud800b'],
    ['characters that turn the order', '\u202eabc\u202c \u2066def'],
    ['many marks', `a${'\u0301'.repeat(500)}`],
    ['ten thousand letters', 'ab '.repeat(10_000)],
    ['brackets from right to left', '(שלום) [1] {a}'],
  ])('can hold %s', async (_, text) => {
    const sheet = sheetWith({
      seller: text,
      title: text,
      footer: [text],
      remarks: [text],
      facts: [{ label: text, value: text }],
    });
    expect((await readPdf(await renderSheet(sheet, library))).pages.length).toBeGreaterThan(0);
  });

  test('is the same bytes for the same sheet, in the time of its subject', async () => {
    const blocks = [{ heading: 'Bill to', lines: ['بتثني محمد', '山田'] }];
    const sheet = sheetWith({ blocks });
    // One has made many documents before, the other none.
    const bytes = await renderSheet(sheet, library);
    expect(await renderSheet(sheet, new FontLibrary())).toEqual(bytes);
    const { info } = await readPdf(bytes);
    expect(info).toMatchObject({ CreationDate: 'D:20261118120000Z', Title: 'Invoice INV-000012', Language: 'en' });
    expect(bytes.toString('latin1')).not.toContain('ModDate');
  });

  test('of 200 lines takes less than 300 ms of processor time', async () => {
    const sheet = sheetWith({ table: { ...sheetWith().table!, rows: rowsOf(200) } });
    await renderSheet(sheet, library);
    const took = await fastest(300, async () => {
      const before = process.cpuUsage();
      await renderSheet(sheet, library);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(took).toBeLessThan(300);
  });
});

test('runs of one direction are ordered as rule L2 says', () => {
  const levels = Uint8Array.from([0, 1, 2, 2, 1, 0]);
  const order = visualRuns(levels, 0, 6).map(({ start, end }) => [start, end]);
  expect(order).toEqual([
    [0, 1],
    [4, 5],
    [2, 4],
    [1, 2],
    [5, 6],
  ]);
});

describe('fonts', () => {
  test('are all installed', () => {
    expect(missingFamilies()).toEqual([]);
  });

  test.each(familyNames)('%s: the outlines in a file are those that fontkit reads from it', (family: FamilyName) => {
    const { path } = filesOf(family).at(-1)!;
    const file = readFileSync(path);
    const [ours, theirs] = [create(trueTypeOf(file)), create(file)];
    const shown = (font: typeof ours, id: number) => {
      const { path: outline, advanceWidth } = font.getGlyph(id);
      return [advanceWidth, outline.commands];
    };
    for (let id = 0; id < 80; id++) expect(shown(ours, id)).toEqual(shown(theirs, id));
  });
});

describe('the thread that makes documents', () => {
  const all: Documents[] = [];
  afterAll(() => Promise.all(all.map((documents) => documents.close())));
  const started = (limits = {}) => {
    const documents = new Documents(limits);
    all.push(documents);
    return documents;
  };

  test('starts with the first one, and leaves the event loop alone', async () => {
    const documents = started();
    expect(documents.isRunning).toBe(false);
    const sheet = sheetWith({ table: { ...sheetWith().table!, rows: rowsOf(200) } });
    const bytes = await documents.render(1, sheet);
    expect(bytes).toEqual(await renderSheet(sheet, library));
    const used = await fastest(30, async () => {
      const before = process.threadCpuUsage();
      await documents.render(1, sheet);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    });
    expect(used).toBeLessThan(30);
  });

  test('ends when it takes too long, and the next document has another one', async () => {
    const documents = started({ renderMs: 1 });
    await expect(documents.render(1, sheetWith())).rejects.toThrow('a document was not made in time');
    expect(documents.isRunning).toBe(false);
  });

  test('ends when there is nothing to do', async () => {
    const documents = started({ idleMs: 1 });
    await documents.render(1, sheetWith());
    await expect.poll(() => documents.isRunning, { timeout: 30_000 }).toBe(false);
    expect((await documents.render(1, sheetWith())).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('survives a sheet that cannot be drawn', async () => {
    const documents = started();
    const broken = sheetWith({ facts: undefined as never });
    const [failed, made] = await Promise.allSettled([documents.render(1, broken), documents.render(1, sheetWith())]);
    expect([failed.status, made.status]).toEqual(['rejected', 'fulfilled']);
  });

  test('shows the name in place of a picture that pdfkit cannot read', async () => {
    const sheet = sheetWith({ logo: { bytes: Buffer.from('no picture'), width: 3, height: 2 } });
    const { pages } = await readPdf(await started().render(1, sheet));
    expect(pages[0]).toContain('Ada & Sons ');
  });

  test('takes turns between owners, and refuses what is too much', async () => {
    const documents = started({ perOwnerMax: 3, waitingMax: 5 });
    const order: number[] = [];
    const render = (owner: number) => documents.render(owner, sheetWith()).then(() => order.push(owner));
    const accepted = [1, 1, 1, 1, 2].map(render);
    await expect(render(1)).rejects.toThrow(Unavailable);
    const last = render(3);
    await expect(render(4)).rejects.toThrow(Unavailable);
    await Promise.all([...accepted, last]);
    expect(order).toEqual([1, 2, 3, 1, 1, 1]);
  });

  test('gives up what waits when the server stops', async () => {
    const documents = started();
    const waiting = Promise.allSettled([documents.render(1, sheetWith()), documents.render(1, sheetWith())]);
    await documents.close();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(documents.render(1, sheetWith())).rejects.toThrow(Unavailable);
  });
});
