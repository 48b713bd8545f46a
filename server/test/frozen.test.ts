import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frozenStrings } from './frozen.ts';

const recordedFile = join(import.meta.dirname, 'frozen.txt');
const toRecord = 'FROZEN=record npx vitest run server/test/frozen.test.ts';

const stringsNow = (collect: () => readonly string[]) => [...new Set(collect())].sort();

if (process.env.FROZEN === 'record') {
  const sections = Object.entries(frozenStrings).map(([title, collect]) => ['', `# ${title}`, ...stringsNow(collect)]);
  writeFileSync(recordedFile, `${sections.flat().slice(1).join('\n')}\n`);
}

const recorded = new Map(
  readFileSync(recordedFile, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((section) => section.trimEnd().split('\n'))
    .map(([title, ...strings]) => [title!, strings]),
);

test('everything that is recorded is still looked for', () => {
  expect(Object.keys(frozenStrings)).toEqual([...recorded.keys()]);
});

test.each(Object.entries(frozenStrings))('%s', (title, collect) => {
  const now = stringsNow(collect);
  const before = recorded.get(title) ?? [];
  const gone = before.filter((one) => !now.includes(one)).map((one) => `  - ${one}\n`);
  const added = now.filter((one) => !before.includes(one)).map((one) => `  + ${one}\n`);
  if (gone.length > 0)
    expect.fail(`These strings are stored or matched by others; change one only with a migration:
${[...gone, ...added].join('')}Where only the code around them was renamed, adapt the patterns in frozen.ts.
Where the change is meant, record it: ${toRecord}\n`);
  if (added.length > 0)
    expect.fail(`These strings are new, and must not change after a release:
${added.join('')}Record them: ${toRecord}\n`);
});
