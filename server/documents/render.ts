import PDFDocument from 'pdfkit';
import type { FontLibrary } from './fonts/library.ts';
import { Pages } from './page/pages.ts';
import { Pen, pageSize } from './page/pen.ts';
import type { Sheet } from './sheet.ts';

/** A sheet as PDF. The same sheet gives the same bytes: the id of the file follows from `createdAt` and the title. */
export function renderSheet(sheet: Sheet, library: FontLibrary): Promise<Buffer> {
  const document = new PDFDocument({
    size: [pageSize.width, pageSize.height],
    margin: 0,
    lang: sheet.language,
    pdfVersion: '1.7',
    displayTitle: true,
    autoFirstPage: false,
    bufferPages: true,
    font: null,
    info: {
      Title: sheet.title,
      Author: sheet.seller,
      Creator: 'Tollgate',
      Producer: 'Tollgate',
      CreationDate: new Date(sheet.createdAt),
    },
  });
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document
      .on('data', (chunk) => void chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject);
    new Pages(document, new Pen(document, library, sheet), sheet).lay();
    document.end();
  });
}
