import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecord } from '../../scripts/frozen_record.ts';
import { frozenStrings } from './frozen.ts';

// New strings are written to the record by `npm run generate`; the test of generated files tells when that was forgotten.
const recorded = readRecord(readFileSync(join(import.meta.dirname, 'frozen.txt'), 'utf8'));

test('everything that is recorded is still looked for', () => {
  expect(Object.keys(frozenStrings)).toEqual([...recorded.keys()]);
});

test.each(Object.entries(frozenStrings))('%s', (title, collect) => {
  const now = new Set(collect());
  const gone = (recorded.get(title) ?? []).filter((one) => !now.has(one)).map((one) => `  - ${one}\n`);
  if (gone.length > 0)
    expect.fail(`These strings are stored or matched by others; change one only with a migration:
${gone.join('')}Where only the code around them was renamed, adapt the patterns in frozen.ts.
Where the change is meant, delete the lines from server/test/frozen.txt, and run npm run generate.\n`);
});
