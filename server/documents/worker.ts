import { parentPort } from 'node:worker_threads';
import { FontLibrary } from './fonts/library.ts';
import { renderSheet } from './render.ts';
import type { Sheet } from './sheet.ts';

/** The thread that makes documents: setting a page is work for milliseconds to seconds without a pause, and fonts are large. */

const library = new FontLibrary();

export type RenderedSheet = { bytes: Uint8Array } | { failure: string };

parentPort?.on('message', async (sheet: Sheet) => {
  const answer: RenderedSheet = await renderSheet(sheet, library).then(
    (bytes) => ({ bytes }),
    (error) => ({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  parentPort!.postMessage(answer);
});
