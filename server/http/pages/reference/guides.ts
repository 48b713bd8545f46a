import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceGroups } from '../../../operations/resource.ts';

/** What a guide declares in the comment at its top. */
export type GuideHead = {
  group: string;
  /** In its group, guides are in the order of their positions. */
  position: number;
  /** The question that it answers, for lists of guides. */
  question: string;
  /** Words that a reader may look for, beside those of the text: those of other gateways, and of the trade. */
  words: readonly string[];
};

export type Guide = GuideHead & {
  /** `payments` for docs/payments.md. */
  name: string;
  title: string;
  text: string;
};

export type Guides = {
  /** By group and position. */
  guides: Guide[];
  /** The table of contents, docs/README.md. */
  contents: string;
};

/** The groups with which a reader begins. */
export const firstGroup = 'Start';
export const taskGroup = 'Tasks';

/** The groups of guides, in their order. */
export const guideGroups: readonly string[] = [firstGroup, taskGroup, ...referenceGroups, 'Running Tollgate'];

/** Beside the folder of the server, in the repository and in the package. */
export const docsFolder = join(import.meta.dirname, '..', '..', '..', '..', 'docs');

const contentsFile = 'README.md';
/** The reference of the errors has a separate page. */
const notGuides = [contentsFile, 'errors.md'];

/** The names of the guides that can be read. A server without the folder works: it has none. */
export function guideNames(from = docsFolder): string[] {
  if (!existsSync(join(from, contentsFile))) return [];
  const files = readdirSync(from).filter((file) => /^[\w-]+\.md$/.test(file) && !notGuides.includes(file));
  return files.map((file) => file.replace(/\.md$/, '')).sort();
}

export function readGuides(names: readonly string[], from = docsFolder): Guides {
  if (names.length === 0) return { guides: [], contents: '' };
  const guides = names.map((name) => guideOf(name, readFileSync(join(from, `${name}.md`), 'utf8')));
  return { guides: inOrder(guides), contents: readFileSync(join(from, contentsFile), 'utf8') };
}

export function guideOf(name: string, text: string): Guide {
  const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
  return { name, title, text, ...headOf(text) };
}

/** A guide without the comment is shown last. `npm run generate` refuses it. */
function headOf(text: string): GuideHead {
  const [, comment = ''] = /^<!--\n([\s\S]*?)\n-->/.exec(text) ?? [];
  const lines = comment.split('\n').map((line) => line.split(/: (.*)/s));
  const { group = '', position = '0', question = '', words = '' } = Object.fromEntries(lines) as Record<string, string>;
  return { group, position: Number(position), question, words: wordsIn(words) };
}

const wordsIn = (list: string) => list.split(',').flatMap((word) => word.trim() || []);

/** The words that a section declares in the comment below its heading. */
export function wordsOfSection(section: string): string[] {
  const [, list = ''] = /^<!-- words: (.+) -->$/m.exec(section) ?? [];
  return wordsIn(list);
}

export function inOrder<One extends Pick<Guide, 'group' | 'position'>>(guides: readonly One[]): One[] {
  const groupOf = ({ group }: One) => (guideGroups.includes(group) ? guideGroups.indexOf(group) : guideGroups.length);
  return guides.toSorted((one, other) => groupOf(one) - groupOf(other) || one.position - other.position);
}

/** The address on this server of a link between files of docs/; undefined for a file that is not served. */
export function addressOf(href: string, guides: readonly Guide[]): string | undefined {
  if (/^(#|https:)/.test(href)) return href;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === 'README') return `/docs/guides${anchor}`;
  if (name === 'errors') return `/docs/errors${anchor}`;
  return guides.some((guide) => guide.name === name) ? `/docs/guides/${name}${anchor}` : undefined;
}
