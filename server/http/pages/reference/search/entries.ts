import type { ErrorRows } from '../../../../base/errors.ts';
import { sectionsOf } from '../guide_sections.ts';
import type { Guide } from '../guides.ts';
import { type ApiModel, type OperationModel, resolved, type SchemaModel } from '../model.ts';
import type { SearchEntry } from './search_index.ts';

/** Which kinds come first where the words fit equally well: what explains before what lists. */
const weights = { guide: 1.3, section: 1.15, resource: 1.2, operation: 1.1, object: 0.8, event: 0.6, error: 0.7 };

/** Beyond this many levels, the members of a parameter are not looked at. */
const depthMax = 3;

/** Everything in the documentation that can be found, made one after the other. */
export function* searchEntries(
  api: ApiModel,
  shapes: ReadonlyMap<string, string>,
  errors: ErrorRows,
  guides: readonly Guide[],
): Generator<SearchEntry, void> {
  for (const guide of guides) yield* entriesOfGuide(guide);
  for (const { tag, title, about } of api.resources)
    yield entry('resource', title, `/docs/${tag}`, 'API', { names: tag, text: about });
  for (const { title, operations } of api.resources)
    for (const operation of operations) yield entryOfOperation(api, operation, title);
  for (const [name, path] of shapes) yield entryOfShape(api, name, path);
  for (const { type, description } of api.events)
    yield entry('event', type, `/docs/event_types#${type}`, 'Event type', { text: description });
  for (const [code, { message, help }] of Object.entries(errors))
    yield entry('error', code, `/docs/errors#${code}`, 'Error', { text: `${message} ${plain(help)}` });
}

type Further = { words?: readonly string[]; names?: string; text?: string | undefined };

function entry(
  of: keyof typeof weights,
  title: string,
  path: string,
  kind: string,
  { words = [], names = '', text = '' }: Further,
): SearchEntry {
  return { title, path, kind, weight: weights[of], words, names, text: plain(text) };
}

function* entriesOfGuide({ name, title, question, words, text }: Guide): Generator<SearchEntry, void> {
  const path = `/docs/guides/${name}`;
  const [introduction, ...sections] = sectionsOf(text);
  yield entry('guide', title, path, 'Guide', { words, text: `${question} ${introduction.text}` });
  for (const one of sections)
    yield entry('section', one.title, `${path}#${one.id}`, `Guide · ${title}`, { words: one.words, text: one.text });
}

function entryOfOperation(api: ApiModel, operation: OperationModel, resource: string): SearchEntry {
  const { id, tag, summary, description = '', method, path, parameters, body } = operation;
  const own = parameters.filter((one) => one.in !== 'header');
  const ofQuery = own.map((one): FoundMember => ({ name: one.name, text: one.description ?? '' }));
  const members = [...ofQuery, ...(body === undefined ? [] : membersOf(api, body.schema))];
  return entry('operation', summary, `/docs/${tag}#${id}`, `API · ${resource}`, {
    names: [id, `${method} ${path}`, ...members.map(({ name }) => name)].join(' '),
    text: [description, ...members.map(({ text }) => text)].join(' '),
  });
}

function entryOfShape(api: ApiModel, name: string, path: string): SearchEntry {
  const members = membersOf(api, { $ref: `#/components/schemas/${name}` });
  return entry('object', `The ${name} object`, path, 'Object', {
    names: members.map((member) => member.name).join(' '),
    text: members.map(({ text }) => text).join(' '),
  });
}

type FoundMember = { name: string; text: string };

function membersOf(api: ApiModel, schema: SchemaModel, depth = 0): FoundMember[] {
  const whole = resolved(api.document, resolved(api.document, schema).items ?? schema);
  const choices = (whole.anyOf ?? []).flatMap((one) => membersOf(api, one, depth));
  const own = Object.entries(whole.properties ?? {}).flatMap(([name, member]): FoundMember[] => {
    const text = member.description ?? resolved(api.document, member).description ?? '';
    return [{ name, text }, ...(depth < depthMax ? membersOf(api, member, depth + 1) : [])];
  });
  return [...own, ...choices];
}

/** Markdown as the words that a reader sees. Blocks of code are left out: the text around them says what they do. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\|[-|\s]+\|$/gm, '')
    .replaceAll(/[`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
