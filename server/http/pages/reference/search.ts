import type { ErrorRows } from '../../../base/errors.ts';
import { headingsOf } from './guide_page.ts';
import type { Guide } from './guides.ts';
import type { ApiModel, OperationModel } from './model.ts';

/** One thing that can be found: its title, its address, which kind it is, and further words. */
type SearchEntry = [title: string, path: string, kind: string, words: string];

/** What the script of the pages searches in. */
export function searchIndex(
  api: ApiModel,
  shapes: ReadonlyMap<string, string>,
  errors: ErrorRows,
  guides: readonly Guide[],
): SearchEntry[] {
  const resources = api.resources.map(({ tag, title, about = '' }) => entry(title, `/docs/${tag}`, 'Resource', about));
  const operations = api.resources.flatMap((resource) =>
    resource.operations.map((one) => entry(one.summary, `/docs/${one.tag}#${one.id}`, resource.title, wordsOf(one))),
  );
  const objects = [...shapes].map(([name, path]) => entry(`The ${name} object`, path, 'Object', ''));
  const events = api.events.map(({ type }) => entry(type, `/docs/event_types#${type}`, 'Event type', ''));
  const codes = Object.entries(errors).map(([code, row]) => entry(code, `/docs/errors#${code}`, 'Error', row.message));
  const texts = guides.flatMap(({ name, title, text }) => [
    entry(title, `/docs/guides/${name}`, 'Guide', ''),
    ...headingsOf(text).map((heading) => entry(heading.title, `/docs/guides/${name}#${heading.id}`, title, '')),
  ]);
  return [...resources, ...operations, ...objects, ...texts, ...events, ...codes];
}

function entry(title: string, path: string, kind: string, words: string): SearchEntry {
  return [title, path, kind, words];
}

function wordsOf({ id, method, path, parameters, body }: OperationModel): string {
  const names = parameters.filter((one) => one.in === 'query').map((one) => one.name);
  return [id, method, path, ...names, ...Object.keys(body?.schema.properties ?? {})].join(' ');
}
