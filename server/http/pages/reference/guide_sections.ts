import { wordsOfSection } from './guides.ts';
import { Slugs } from './text.ts';

/** A heading with everything up to the next one. */
export type GuideSection = {
  level: number;
  /** That of its heading on the page; that of the introduction is empty. */
  id: string;
  title: string;
  text: string;
  words: readonly string[];
};

/** The sections of a guide, after its introduction. What looks like a heading in a block of code is none. */
export function sectionsOf(text: string): [GuideSection, ...GuideSection[]] {
  const slugs = new Slugs();
  const [introduction = '', ...others] = splitAtHeadings(text);
  const sections = others.map((section): GuideSection => {
    const [, marks = '', heading = '', rest = ''] = /^(#+) (.+)\n?([\s\S]*)$/.exec(section) ?? [];
    return {
      level: marks.length,
      id: slugs.next(heading),
      title: heading.replaceAll('`', ''),
      text: rest,
      words: wordsOfSection(rest),
    };
  });
  const body = introduction.replace(/^# .+$/m, '');
  return [{ level: 1, id: '', title: '', text: body, words: [] }, ...sections];
}

/** The headings of the second level, for the menu. */
export function headingsOf(text: string): { id: string; title: string }[] {
  return sectionsOf(text)
    .filter(({ level }) => level === 2)
    .map(({ id, title }) => ({ id, title }));
}

function splitAtHeadings(text: string): string[] {
  const parts: string[][] = [[]];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && /^#{2,4} /.test(line)) parts.push([]);
    parts.at(-1)!.push(line);
  }
  return parts.map((lines) => lines.join('\n'));
}
