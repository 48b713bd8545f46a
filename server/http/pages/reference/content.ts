import { escapeHtml } from '../../../base/page.ts';
import { inSlices } from '../../../base/slices.ts';
import { registrations } from '../../../connectors/index.ts';
import type { Described, Document } from '../openapi/document.ts';
import { errorsPage } from './errors_page.ts';
import { eventsPage } from './events_page.ts';
import type { FieldContext } from './fields.ts';
import { aboutIn, guideMarkdown, guidePage } from './guide_page.ts';
import { headingsOf } from './guide_sections.ts';
import { firstGroup, type Guide, type Guides, readGuides, taskGroup } from './guides.ts';
import type { MenuEntry, MenuGroup, ReferenceContent } from './layout.ts';
import { type ApiModel, apiModel, nameOf, type OperationModel, type ResourceModel, resolved } from './model.ts';
import { once } from './once.ts';
import { pciPage } from './pci_page.ts';
import { apiReference, groupsOf } from './reference_page.ts';
import { commonCodes } from './refusals.ts';
import { type ResourceParts, resourceContent, resourceSections } from './resource_page.ts';
import { dataDirUsual } from './samples/sample.ts';
import { searchEntries } from './search/entries.ts';
import { type SearchEntry, SearchIndex } from './search/search_index.ts';
import { startPage } from './start_page.ts';

/** The shapes of answers, each with the resource on whose page it is explained: the one that makes or retrieves it. */
function shapesByPage({ document, resources }: ApiModel): Map<string, string> {
  const operations = resources.flatMap((resource) => resource.operations);
  const inOrder = [...operations.filter(isOwn), ...operations.filter((one) => !isOwn(one))];
  const pages = new Map<string, string>();
  for (const { tag, answer } of inOrder) {
    const whole = resolved(document, answer.schema);
    const listed = whole.properties?.data?.items;
    const name = nameOf(listed ?? answer.schema);
    if (name !== undefined && !pages.has(name)) pages.set(name, tag);
  }
  return pages;
}

function isOwn({ id }: OperationModel): boolean {
  return /\.(create|retrieve)$/.test(id);
}

export type SiteOptions = {
  described: Described;
  /** The names of the guides; their texts are read with the first page that is asked for. */
  guideNames: readonly string[];
  dataDir: string | undefined;
};

/** The contents of all pages, and what they have in common. */
export class Site {
  readonly menu: MenuGroup[];
  readonly #guides: Guides;
  readonly #options: SiteOptions;
  readonly #api: ApiModel;
  readonly #context: FieldContext;
  readonly #shapes: Map<string, string>;
  readonly #common;

  constructor(options: SiteOptions, document: Document) {
    this.#options = options;
    this.#api = apiModel(document);
    this.#guides = readGuides(options.guideNames);
    this.menu = menuOf(this.#api, this.#guides.guides);
    this.#shapes = shapesByPage(this.#api);
    this.#common = commonCodes(this.#operations());
    const { line } = guideMarkdown(this.#guides.guides, this.#api);
    this.#context = { document: this.#api.document, line, shape: (name) => this.#addressOfShape(name) };
  }

  start(): ReferenceContent {
    return startPage(this.#api, this.#context, this.#guides.guides, this.#options);
  }

  reference(): ReferenceContent {
    return apiReference(this.#api, this.#context, this.#common);
  }

  errors(): ReferenceContent {
    return errorsPage(this.#options.described.errors, this.#operations(), this.#common);
  }

  pci(): ReferenceContent {
    return pciPage(registrations);
  }

  events(): ReferenceContent {
    return eventsPage(this.#api.events, this.#context);
  }

  resource(tag: string): ReferenceContent {
    const resource = this.#api.resources.find((one) => one.tag === tag)!;
    const parts: ResourceParts = {
      resource,
      shapes: [...this.#shapes].filter(([, home]) => home === tag).map(([name]) => name),
      events: this.#api.events.filter(({ type }) => `${type.split('.', 1)[0]}s` === tag),
      context: this.#context,
      common: this.#common,
      samples: this.#options,
    };
    const content = `${this.#guidesAbout(resource)}${resourceContent(parts)}`;
    return { title: resource.title, content, sections: resourceSections(parts) };
  }

  guide(name: string): ReferenceContent {
    const guide = this.#guides.guides.find((one) => one.name === name)!;
    const { operations } = this.#options.described;
    const called = {
      document: this.#api.document,
      operations: this.#operations(),
      inputs: new Map(operations.map(({ name: id, input }) => [id, input])),
    };
    const page = guidePage(guide, this.#guides.guides, this.#api, called);
    const { dataDir = dataDirUsual } = this.#options;
    return { ...page, content: page.content.replaceAll(`${dataDirUsual}/`, `${escapeHtml(dataDir)}/`) };
  }

  contents(): ReferenceContent {
    const text = this.#guides.contents;
    const { page } = guideMarkdown(this.#guides.guides, this.#api);
    return { title: 'Guides', content: page(text.replace(/^# .+\n/m, '')), sections: headingsOf(text) };
  }

  /** Made by the first search. */
  readonly search = once(() => inSlices(SearchIndex.build(this.searchEntries())));

  searchEntries(): Iterable<SearchEntry> {
    const shapes = new Map([...this.#shapes.keys()].map((name) => [name, this.#addressOfShape(name)!]));
    return searchEntries(this.#api, shapes, this.#options.described.errors, this.#guides.guides);
  }

  #operations() {
    return this.#api.resources.flatMap(({ operations }) => operations);
  }

  #addressOfShape(name: string): string | undefined {
    const home = this.#shapes.get(name);
    return home && `/docs/${home}#${name}`;
  }

  /** Both ways: these guides lead to the resource. Its own guide comes first. */
  #guidesAbout(resource: ResourceModel): string {
    const own = resource.tag.replaceAll('_', '-');
    const guides = this.#guides.guides.filter((guide) => aboutIn(guide, [resource]).length > 0);
    const inOrder = [...guides.filter(({ name }) => name === own), ...guides.filter(({ name }) => name !== own)];
    const links = inOrder.map(({ name, title }) => `<a href="/docs/guides/${name}">${title}</a>`);
    return links.length === 0 ? '' : `<p class="beside">Guides: ${links.join(', ')}</p>\n`;
  }
}

function menuOf(api: ApiModel, guides: readonly Guide[]): MenuGroup[] {
  const groups = guideEntries(guides);
  const [start = [], tasks = []] = [firstGroup, taskGroup].map((group) => groups.get(group));
  const others = [...groups].filter(([group]) => group !== firstGroup && group !== taskGroup);
  const resources = groupsOf(api).map(([title, ofGroup]) => ({
    title,
    entries: ofGroup.map(({ tag, title }) => ({ path: `/docs/${tag}`, title })),
  }));
  const reference: MenuEntry[] = [
    { path: '/docs/reference', title: 'Requests and answers' },
    { path: '/docs/event_types', title: 'Event types' },
    { path: '/docs/pci', title: 'Scripts of the checkout page' },
    { path: '/docs/errors', title: 'Errors' },
  ];
  const all = { path: '/docs/guides', title: 'All guides' };
  const menu: MenuGroup[] = [
    { title: firstGroup, entries: [{ path: '/docs', title: 'Overview' }, ...start] },
    { title: taskGroup, entries: tasks },
    {
      title: 'Guides',
      entries: others.length === 0 ? [] : [all],
      groups: others.map(([title, entries]) => ({ title, entries })),
    },
    { title: 'API reference', entries: reference, groups: resources },
  ];
  return menu.filter(({ entries }) => entries.length > 0);
}

function guideEntries(guides: readonly Guide[]): Map<string, MenuEntry[]> {
  const groups = Map.groupBy(guides, ({ group }) => group);
  const entriesOf = (ofGroup: readonly Guide[]) =>
    ofGroup.map(({ name, title }) => ({ path: `/docs/guides/${name}`, title }));
  return new Map([...groups].map(([group, ofGroup]) => [group, entriesOf(ofGroup)]));
}
