import { escapeHtml, jsonPage, type Rendered } from '../../../../base/page.ts';
import type { ReferenceContent } from '../layout.ts';
import type { SearchAnswer, SearchIndex } from './search_index.ts';

export const resultsPath = '/docs/find';
export const answersPath = '/docs/search.json';

/** On the page, and in the list below the field of the search. */
const [shownOnPage, shownInList] = [30, 10];

/** The results as a page, for browsers without a script and for all results. */
export function resultsPage(index: SearchIndex, query: string): ReferenceContent {
  const words = wordsIn(query);
  const answer = index.find(words, shownOnPage);
  const results = answer.results.map(
    ({ title, path, kind, excerpt }) =>
      `<li><a href="${path}">${escapeHtml(title)}</a> <span class="meta">${escapeHtml(kind)}</span><p>${escapeHtml(excerpt)}</p></li>`,
  );
  const list = results.length === 0 ? '' : `<ol class="results-page">\n${results.join('\n')}\n</ol>`;
  const content = `<p class="lead">${summaryOf(words, answer)}</p>\n${list}`;
  return { title: 'Search', content, sections: [], query: words };
}

/** The same for the script of the pages. */
export function resultsAnswer(index: SearchIndex, query: string): Rendered {
  return jsonPage(200, index.find(wordsIn(query), shownInList));
}

function wordsIn(query: string): string {
  return (new URLSearchParams(query).get('q') ?? '').trim();
}

function summaryOf(words: string, { results, total }: SearchAnswer): string {
  if (words === '') return 'Type what you look for into the field at the top: words, a parameter, an error code.';
  const asked = `<q>${escapeHtml(words)}</q>`;
  if (total === 0) return `Nothing was found for ${asked}. Try another word, or fewer.`;
  return total > results.length
    ? `The first ${results.length} of ${total} results for ${asked}`
    : `${total} found for ${asked}`;
}
