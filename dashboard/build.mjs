// Builds the dashboard into the folder that it is given, with compressed copies of every file. The gateway runs it: see
// server/http/pages/dashboard.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// A test that builds has another environment, in which React brings its tools for development.
process.env.NODE_ENV = 'production';
const { build } = await import('vite');

const [folder] = process.argv.slice(2);
await build({ root: import.meta.dirname, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
for (const name of readdirSync(join(folder, 'assets'))) {
  if (name.endsWith('.woff2')) continue; // it is compressed already
  const file = join(folder, 'assets', name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
}
