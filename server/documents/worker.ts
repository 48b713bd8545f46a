import { parentPort } from 'node:worker_threads';
import { FontLibrary } from './fonts/library.ts';
import { renderSheet } from './render.ts';
import type { Sheet } from './sheet.ts';

/** The thread that makes documents: setting a page is work for milliseconds to seconds without a pause, and fonts are large. */

const library = new FontLibrary();

export type RenderedSheet = { bytes: Uint8Array } | { failure: string };

parentPort?.on('message', async (sheet: Sheet) => {
  const { logo, ...plain } = sheet;
  // pdfkit may not read a picture that browsers do. The document has the name of the seller instead.
  const made = logo === undefined ? render(plain) : render(sheet).catch(() => render(plain));
  const answer: RenderedSheet = await made.then(
    (bytes) => ({ bytes }),
    (error) => ({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  parentPort!.postMessage(answer);
});

/** pdfkit unpacks some pictures in callbacks: an error there belongs to no promise. */
function render(sheet: Sheet): Promise<Uint8Array> {
  const { promise, reject } = Promise.withResolvers<never>();
  process.on('uncaughtException', reject);
  return Promise.race([renderSheet(sheet, library), promise]).finally(() => process.off('uncaughtException', reject));
}
