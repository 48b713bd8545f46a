// Builds the dashboard into the folder that it is given, with compressed copies of every file. The gateway runs it: see
// server/http/pages/dashboard.
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// A test that builds has another environment, in which React brings its tools for development.
process.env.NODE_ENV = 'production';
const { build } = await import('vite');

const [folder] = process.argv.slice(2);
await build({ root: import.meta.dirname, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });

const asGzip = (bytes) => promisify(gzip)(bytes, { level: 9 });
// The highest quality but one: the highest takes twice as long, for a hundredth.
const asBrotli = (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } });

async function compress(file) {
  const bytes = await readFile(file);
  await Promise.all([
    asGzip(bytes).then((compressed) => writeFile(`${file}.gz`, compressed)),
    asBrotli(bytes).then((compressed) => writeFile(`${file}.br`, compressed)),
  ]);
}

const names = readdirSync(join(folder, 'assets')).filter((name) => !name.endsWith('.woff2')); // fonts are compressed already
await Promise.all(names.map((name) => compress(join(folder, 'assets', name))));
