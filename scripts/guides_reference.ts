import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsFolder, type Guide, guideGroups, guideOf, inOrder } from '../server/http/pages/reference/guides.ts';
import { errorsMarkdown } from './errors_reference.ts';
import { localesMarkdown } from './locales_reference.ts';
import { type Parts, withParts } from './markers.ts';
import { settingsMarkdown } from './settings_reference.ts';

const parts: Parts = { guides: tables };

/** Guides that are generated as a whole may not be there yet. */
const generated: Readonly<Record<string, () => string>> = {
  'errors.md': errorsMarkdown,
  'settings.md': settingsMarkdown,
  'locales.md': localesMarkdown,
};

/** The table of contents of docs/, with a table of the guides of each group. */
export const contentsMarkdown = (contents: string) => withParts(contents, parts);

function tables(): string {
  const files = readdirSync(docsFolder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  const guides = [...new Set([...files, ...Object.keys(generated)])].map((file) => {
    const text = generated[file]?.() ?? readFileSync(join(docsFolder, file), 'utf8');
    return complete(guideOf(file.replace(/\.md$/, ''), text));
  });
  const groups = Map.groupBy(inOrder(guides), ({ group }) => group);
  return [...groups].map(([group, ofGroup]) => `## ${group}\n\n${table(ofGroup)}`).join('\n\n');
}

function table(guides: readonly Guide[]): string {
  const rows = guides.map(({ name, title, question }) => `| [${title}](${name}.md) | ${question} |`);
  return ['| guide | answers |', '|---|---|', ...rows].join('\n');
}

function complete(guide: Guide): Guide {
  const { name, group, position, question } = guide;
  if (guideGroups.includes(group) && position > 0 && question.endsWith('?')) return guide;
  throw new Error(
    `docs/${name}.md has to begin with a comment that has four lines: group (one of ${guideGroups.join(', ')}), position (a number, lower ones come first), question (which the guide answers) and words (to find it by).`,
  );
}
