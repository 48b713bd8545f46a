import type { Page, PageRequest, Rendered } from '../../../base/page.ts';
import { type Document, tagOf } from '../openapi/document.ts';
import type { Site, SiteOptions } from './content.ts';
import { type ReferenceContent, referencePage } from './layout.ts';
import { once } from './once.ts';
import { sampleBase } from './samples/sample.ts';
import { answersPath, resultsAnswer, resultsPage, resultsPath } from './search/search_page.ts';

/**
 * The API reference, and the guides beside it. Each page is made when it is first asked for. The code that makes them is loaded then, too:
 * a start and the commands need neither it nor the renderer of the guides.
 */
export function referencePages(options: SiteOptions, document: () => Promise<Document>): Page[] {
  const { described, guideNames } = options;
  const tags = [...new Set(described.operations.map(tagOf))].sort();
  const wholeSite = once(async () => {
    const content = await import('./content.ts');
    return new content.Site(options, await document());
  });
  const page = (path: string, make: (site: Site) => Rendered): Page => {
    let made: Rendered | undefined;
    const render = async (request: PageRequest) => {
      const whole = await wholeSite();
      made ??= make(whole);
      return atAddress(made, request);
    };
    // A reader, or a search engine, opens all of them in a minute.
    return { path, counted: 'page', render };
  };
  const html = (path: string, make: (site: Site) => ReferenceContent) =>
    page(path, (whole) => referencePage(path, make(whole), whole.menu));
  return [
    html('/docs', (whole) => whole.start()),
    html('/docs/reference', (whole) => whole.reference()),
    html('/docs/errors', (whole) => whole.errors()),
    html('/docs/event_types', (whole) => whole.events()),
    html('/docs/pci', (whole) => whole.pci()),
    ...tags.map((tag) => html(`/docs/${tag}`, (whole) => whole.resource(tag))),
    ...(guideNames.length === 0 ? [] : [html('/docs/guides', (whole) => whole.contents())]),
    ...guideNames.map((name) => html(`/docs/guides/${name}`, (whole) => whole.guide(name))),
    ...searchPages(wholeSite),
  ];
}

/** While somebody types, the script asks for what is there so far: that leaves no lines in the log. */
function searchPages(wholeSite: () => Promise<Site>): Page[] {
  return [
    {
      path: resultsPath,
      counted: 'page',
      async render({ query }) {
        const whole = await wholeSite();
        return referencePage(resultsPath, resultsPage(await whole.search(), query), whole.menu);
      },
    },
    {
      path: answersPath,
      counted: 'page',
      logged: 'refused',
      render: async ({ query }) => resultsAnswer(await (await wholeSite()).search(), query),
    },
  ];
}

const host = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Samples name the address at which this server was asked, so that they can be pasted. */
function atAddress(rendered: Rendered, { headers }: Pick<PageRequest, 'headers'>): Rendered {
  const asked = headers.host !== undefined && host.test(headers.host) ? headers.host : 'localhost:8443';
  return { ...rendered, body: rendered.body.replaceAll(sampleBase, `https://${asked}`) };
}
