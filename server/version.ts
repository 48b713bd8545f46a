import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of Tollgate that runs. */
export const packageVersion: string = JSON.parse(
  readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'),
).version;
