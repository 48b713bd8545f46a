import { frozenStrings } from '../server/test/frozen.ts';

/** The sections of the record, by their titles. */
export function readRecord(text: string): Map<string, string[]> {
  const sections = text.split(/^# /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title, ...strings] = section.trimEnd().split('\n');
      return [title!, strings];
    }),
  );
}

/** The record with the strings that are new. None is taken out: to change one on purpose, delete its line by hand. */
export function frozenRecord(text: string): string {
  const recorded = readRecord(text);
  const titles = new Set([...Object.keys(frozenStrings), ...recorded.keys()]);
  const sections = [...titles].map((title) => {
    const strings = new Set([...(recorded.get(title) ?? []), ...(frozenStrings[title]?.() ?? [])]);
    return `# ${title}\n${[...strings].sort().join('\n')}\n`;
  });
  return sections.join('\n');
}
