import { escapeHtml } from '../../../base/page.ts';
import { scopeOfAny } from '../../../operations/scope.ts';
import { type FieldContext, type FieldModel, fieldList, membersOf, typeOf } from './fields.ts';
import { type EventType, nameOf, type OperationModel, type ResourceModel, resolved } from './model.ts';
import type { CommonCodes } from './refusals.ts';
import { operationTabs } from './samples/operation_tabs.ts';
import type { SampleOptions } from './samples/sample.ts';
import { codeBlock } from './text.ts';

/** Everything that the page of a resource is made of. */
export type ResourceParts = {
  resource: ResourceModel;
  /** The shapes that have their section on this page. */
  shapes: readonly string[];
  events: readonly EventType[];
  context: FieldContext;
  common: CommonCodes;
  samples: SampleOptions;
};

/** The sections of a page, for the menu. */
export type PageSection = { id: string; title: string };

export function resourceSections({ resource, shapes, events }: ResourceParts): PageSection[] {
  return [
    ...resource.operations.map(({ id, summary }) => ({ id, title: summary })),
    ...shapes.map((name) => ({ id: name, title: `The ${name} object` })),
    ...(events.length > 0 ? [{ id: 'events', title: 'Events' }] : []),
  ];
}

export function resourceContent(parts: ResourceParts): string {
  const { resource, shapes, events, context } = parts;
  const about = resource.about === undefined ? '' : `<p class="lead">${context.line(resource.about)}</p>`;
  return [
    about,
    overview(resource),
    ...resource.operations.map((operation) => operationSection(operation, parts)),
    ...shapes.map((name) => shapeSection(name, parts)),
    events.length > 0 ? eventsSection(events) : '',
  ].join('\n');
}

function overview({ operations }: ResourceModel): string {
  const rows = operations.map(
    ({ id, method, path, summary }) =>
      `<li><a href="#${id}"><code><b>${method}</b> ${escapeHtml(path)}</code><span>${escapeHtml(summary)}</span></a></li>`,
  );
  return `<ul class="overview">\n${rows.join('\n')}\n</ul>`;
}

function operationSection(operation: OperationModel, parts: ResourceParts): string {
  const { context } = parts;
  const { id, method, path, summary, description, scope } = operation;
  return `<section class="operation" aria-labelledby="${id}"><div class="words">
<h2 id="${id}"><a href="#${id}">${escapeHtml(summary)}</a></h2>
<p class="route"><code><b class="${method.toLowerCase()}">${method}</b> ${escapeHtml(path)}</code></p>
${description === undefined ? '' : `<p>${context.line(description)}</p>`}
<p class="meta">${needs(scope)}</p>
${parametersOf(operation, context)}
${answerOf(operation, context)}
${errorsOf(operation, parts.common)}
</div>${samplesOf(operation, parts)}</section>`;
}

/** What only people may do, a key does not find. */
function needs(scope: string | undefined): string {
  if (scope === undefined) return 'For people who sign in to the dashboard; an API key is answered with 404.';
  if (scope === scopeOfAny)
    return `Every key may call it (<code>${scope}</code>): what it shows depends on the other scopes of the key.`;
  return `The key needs the scope <code>${escapeHtml(scope)}</code>.`;
}

function parametersOf({ parameters, body, method }: OperationModel, context: FieldContext): string {
  const from = (place: string): FieldModel[] =>
    parameters
      .filter(({ in: where }) => where === place)
      .map(({ name, schema, required = false, description }) => ({ name, schema, description, isRequired: required }));
  const shown = [
    ['Path', from('path')],
    [method === 'GET' ? 'Query' : 'Body', method === 'GET' ? from('query') : body ? membersOf(body.schema) : []],
  ] as const;
  return shown
    .filter(([, fields]) => fields.length > 0)
    .map(([title, fields]) => `<h3>${title} parameters</h3>\n${fieldList(fields, context, 'required')}`)
    .join('\n');
}

function answerOf({ answer }: OperationModel, context: FieldContext): string {
  const { schema, otherMedia, file } = answer;
  if (file !== undefined)
    return `<h3>Answer</h3>\n<p>A file: <code>${escapeHtml(file)}</code>. ${context.line(schema.description ?? '')}</p>`;
  const whole = resolved(context.document, schema);
  const name = nameOf(schema);
  const item = whole.properties?.data?.items;
  const isList = name?.endsWith('List') === true && item !== undefined;
  const also = otherMedia.map((media) => `<code>${escapeHtml(media)}</code>`).join(', ');
  const other = also === '' ? '' : ` With <code>Accept</code>: ${also}.`;
  const words = isList
    ? `<p>A list of ${typeOf(item, context)}: <code>data</code>, and <code>has_more</code> while there are more.${other}</p>`
    : `<p>${typeOf(schema, context)}${other}</p>`;
  const isElsewhere = isList || (name !== undefined && context.shape(name) !== undefined);
  return `<h3>Answer</h3>\n${words}${isElsewhere ? '' : fieldList(membersOf(whole), context, 'always there')}`;
}

/** Its own refusals. Those of every request are explained once. */
function errorsOf({ refusals, method }: OperationModel, common: CommonCodes): string {
  const usual = new Set(method === 'GET' ? common.reads : common.changes);
  const own = [...refusals]
    .map(([status, codes]) => [status, codes.filter((code) => !usual.has(code))] as const)
    .filter(([, codes]) => codes.length > 0);
  const rows = own.map(
    ([status, codes]) =>
      `<li><b>${status}</b> ${codes.map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a>`).join(' ')}</li>`,
  );
  const list = rows.length === 0 ? '' : `<ul class="codes">\n${rows.join('\n')}\n</ul>`;
  const kind = method === 'GET' ? 'reads' : 'changes';
  return `<h3>Errors</h3>\n${list}<p class="meta">${rows.length === 0 ? 'Only' : 'And'} the <a href="/docs/reference#errors-of-${kind}">errors of every ${kind === 'reads' ? 'read' : 'change'}</a>.</p>`;
}

function samplesOf(operation: OperationModel, { context, samples }: ResourceParts): string {
  const { example } = operation.answer;
  const answer = example === undefined ? '' : codeBlock(JSON.stringify(example, null, 2), 'json', 'Answer');
  // A cookie and its token cannot be pasted.
  if (operation.scope === undefined) return `<div class="samples">\n${answer}</div>`;
  return `<div class="samples">
${operationTabs(context.document, operation, samples)}${answer}</div>`;
}

function shapeSection(name: string, { context }: ResourceParts): string {
  const shape = resolved(context.document, { $ref: `#/components/schemas/${name}` });
  const { description } = shape as { description?: string };
  return `<section aria-labelledby="${name}"><h2 id="${name}"><a href="#${name}">The ${name} object</a></h2>
${description === undefined ? '' : `<p>${context.line(description)}</p>`}
${fieldList(membersOf(shape), context, 'always there')}</section>`;
}

function eventsSection(events: readonly EventType[]): string {
  const rows = events.map(({ type }) => `<li><a href="/docs/event_types#${type}"><code>${type}</code></a></li>`);
  return `<section aria-labelledby="events"><h2 id="events"><a href="#events">Events</a></h2>
<p>Changes of this resource are recorded as events, and sent to <a href="/docs/webhook_endpoints">webhook endpoints</a>.</p>
<ul class="codes">\n${rows.join('\n')}\n</ul></section>`;
}
