import { escapeHtml, type Rendered } from '../../../base/page.ts';
import { brand, htmlPage } from '../html.ts';
import type { PageSection } from './resource_page.ts';

/** A page that the menu names. */
export type MenuEntry = { path: string; title: string };
/** Its first pages are always in sight. Groups within it are folded, except for that of the page that is open. */
export type MenuGroup = { title: string; entries: readonly MenuEntry[]; groups?: readonly MenuGroup[] };

/** A page of the reference, without what surrounds all of them. */
export type ReferenceContent = {
  title: string;
  content: string;
  sections: readonly PageSection[];
  /** What was searched for. */
  query?: string;
};

/**
 * The header, the menu and the content. On a narrow screen the menu is a popover, which browsers open and close without a script. The
 * search leads to a page of results, which the script shows while somebody types.
 */
export function referencePage(path: string, page: ReferenceContent, menu: readonly MenuGroup[]): Rendered {
  const { title, content, sections, query = '' } = page;
  return htmlPage(
    title,
    `<a class="skip" href="#content">Skip to the content</a>
<header class="top">${brand('/docs')}<a class="beside" href="/dashboard">Dashboard</a>
<search class="search"><form action="/docs/find"><label for="query">Search</label><input id="query" name="q" type="search" autocomplete="off"
aria-keyshortcuts="/" placeholder="Search" maxlength="200" value="${escapeHtml(query)}"></form><p role="status" class="found"></p><ul class="results"></ul></search>
<button type="button" class="menu-button" popovertarget="menu">Menu</button></header>
<div class="columns"><nav id="menu" class="menu" popover aria-label="Documentation">${menu.map((group) => groupText(group, path, sections)).join('')}</nav>
<main id="content" tabindex="-1"><h1>${escapeHtml(title)}</h1>
${content}
</main></div>`,
  );
}

function groupText(group: MenuGroup, path: string, sections: readonly PageSection[]): string {
  const folded = (group.groups ?? []).map((inner) => {
    const isOpen = inner.entries.some((entry) => entry.path === path);
    return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(inner.title)}</summary>${entryList(inner.entries, path, sections)}</details>`;
  });
  return `<h2>${escapeHtml(group.title)}</h2>${entryList(group.entries, path, sections)}${folded.join('\n')}`;
}

function entryList(entries: readonly MenuEntry[], path: string, sections: readonly PageSection[]): string {
  if (entries.length === 0) return '';
  const items = entries.map((entry) => {
    const isCurrent = entry.path === path;
    const link = `<a href="${entry.path}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(entry.title)}</a>`;
    return `<li>${link}${isCurrent && sections.length > 0 ? sectionList(sections) : ''}</li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

function sectionList(sections: readonly PageSection[]): string {
  return `<ul>\n${sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('\n')}\n</ul>`;
}

/** A link with a sentence. A link within a link is not possible, so the sentence stands beside it. */
export function card(path: string, title: string, about: string | undefined): string {
  return `<li><a href="${path}">${escapeHtml(title)}</a>${about === undefined ? '' : `<p>${about}</p>`}</li>`;
}

export function cardList(cards: readonly string[]): string {
  return `<ul class="cards">\n${cards.join('\n')}\n</ul>`;
}
