import { escapeHtml, type Rendered } from '../../../base/page.ts';
import { htmlPage } from '../html.ts';
import type { PageSection } from './resource_page.ts';

/** A page that the menu names. */
export type MenuEntry = { path: string; title: string };
export type MenuGroup = { title: string; entries: MenuEntry[] };

/** A page of the reference, without what surrounds all of them. */
export type ReferenceContent = { title: string; content: string; sections: readonly PageSection[] };

/**
 * The header, the menu and the content. On a narrow screen the menu is a popover, which browsers open and close without a script. The
 * script shows the search.
 */
export function referencePage(path: string, page: ReferenceContent, menu: readonly MenuGroup[]): Rendered {
  const { title, content, sections } = page;
  return htmlPage(
    title,
    `<a class="skip" href="#content">Skip to the content</a>
<header class="top"><a class="brand" href="/docs">Tollgate</a>
<search class="search" hidden><label for="query">Search</label><input id="query" type="search" autocomplete="off"
aria-keyshortcuts="/" placeholder="Search"><p role="status" class="found"></p><ul class="results"></ul></search>
<button type="button" class="menu-button" popovertarget="menu">Menu</button></header>
<div class="columns"><nav id="menu" class="menu" popover aria-label="Documentation">${menu.map((group) => groupText(group, path, sections)).join('')}</nav>
<main id="content" tabindex="-1"><h1>${escapeHtml(title)}</h1>
${content}
</main></div>`,
  );
}

function groupText({ title, entries }: MenuGroup, path: string, sections: readonly PageSection[]): string {
  const items = entries.map((entry) => {
    const isCurrent = entry.path === path;
    const link = `<a href="${entry.path}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(entry.title)}</a>`;
    return `<li>${link}${isCurrent && sections.length > 0 ? sectionList(sections) : ''}</li>`;
  });
  return `<h2>${escapeHtml(title)}</h2><ul>\n${items.join('\n')}\n</ul>`;
}

function sectionList(sections: readonly PageSection[]): string {
  return `<ul>\n${sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('\n')}\n</ul>`;
}
