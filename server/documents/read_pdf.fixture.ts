import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A glyph that is a part of a letter, such as the dots of an Arabic one, has no text. Its number stands in for it. */
const numbersOfParts = /[\u0001-\u001f]/g;

/** A document as a reader sees it: the text of each page, line by line from left to right, and what it says about itself. */
export async function readPdf(bytes: Uint8Array): Promise<{ pages: string[][]; info: Record<string, unknown> }> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const pages: string[][] = [];
  for (let page = 1; page <= document.numPages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent();
    const lines = new Map<number, { left: number; text: string }[]>();
    for (const item of items) {
      if (!('str' in item) || item.str === '') continue;
      const [, , , , left, up] = item.transform as number[];
      const key = [...lines.keys()].find((known) => Math.abs(known - up!) < 2) ?? up!;
      lines.set(key, [...(lines.get(key) ?? []), { left: left!, text: item.str }]);
    }
    const ordered = [...lines].sort(([one], [other]) => other - one).map(([, parts]) => parts);
    pages.push(
      ordered.map((parts) =>
        parts
          .sort((a, b) => a.left - b.left)
          .map(({ text }) => text)
          .join('')
          .replaceAll(numbersOfParts, ''),
      ),
    );
  }
  const { info } = await document.getMetadata();
  await document.loadingTask.destroy();
  return { pages, info: info as Record<string, unknown> };
}
