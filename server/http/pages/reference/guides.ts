import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Guide = {
  /** `payments` for docs/payments.md. */
  name: string;
  title: string;
  text: string;
};

export type Guides = {
  /** In the order in which the table of contents names them. */
  guides: Guide[];
  /** The table of contents, docs/README.md. */
  contents: string;
};

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
  const contents = readFileSync(join(from, contentsFile), 'utf8');
  const named = [...contents.matchAll(/\]\(([\w-]+)\.md\)/g)].map(([, name]) => name!);
  const inOrder = new Set([...named.filter((name) => names.includes(name)), ...names]);
  return {
    guides: [...inOrder].map((name) => guideOf(name, readFileSync(join(from, `${name}.md`), 'utf8'))),
    contents,
  };
}

function guideOf(name: string, text: string): Guide {
  const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
  return { name, title, text };
}

/** The address on this server of a link between files of docs/; undefined for a file that is not served. */
export function addressOf(href: string, guides: readonly Guide[]): string | undefined {
  if (/^(#|https:)/.test(href)) return href;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === 'README') return `/docs/guides${anchor}`;
  if (name === 'errors') return `/docs/errors${anchor}`;
  return guides.some((guide) => guide.name === name) ? `/docs/guides/${name}${anchor}` : undefined;
}
