import { type FieldContext, fieldList } from './fields.ts';
import { card, cardList, type ReferenceContent } from './layout.ts';
import type { ApiModel, ParameterModel, ResourceModel } from './model.ts';
import type { CommonCodes } from './refusals.ts';
import type { PageSection } from './resource_page.ts';
import { sampleBase } from './samples/sample.ts';
import { Slugs } from './text.ts';

const sections = [
  { id: 'requests', title: 'Requests' },
  { id: 'answers', title: 'Answers' },
  { id: 'errors-of-reads', title: 'Errors of every read' },
  { id: 'errors-of-changes', title: 'Errors of every change' },
  { id: 'versions', title: 'Versions' },
];

/** What holds for every request, and all resources. */
export function apiReference(api: ApiModel, context: FieldContext, common: CommonCodes): ReferenceContent {
  const info = api.document.info as { description: string };
  const content = `<p class="lead">${context.line(info.description)}</p>
${resourceGroups(api, context)}
<h2 id="requests">Requests</h2>
<p>Send requests over HTTPS to <code>${sampleBase}</code> with <code>Authorization: Bearer &lt;API key&gt;</code>. A body is JSON or a form.
GET takes parameters in the query, all other methods in the body. These headers are known to every operation:</p>
${headerFields(api, context)}
<h2 id="answers">Answers</h2>
<p>Answers are JSON unless <code>Accept</code> asks for something else that an operation offers. They carry these headers, some of them
only where they apply:</p>
${answerHeaders(api, context)}
${codesSection('reads', 'Errors of every read', 'GET', common.reads)}
${codesSection('changes', 'Errors of every change', 'POST and DELETE', common.changes)}
<h2 id="versions">Versions</h2><p>v1 is current. Select it by the path (<code>/v1/…</code>), by
<code>Accept: application/json; version=1</code> or by <code>X-Service-Version: 1</code>. v0 was retired on 2024-12-31.</p>
<p><a href="/openapi.json">The OpenAPI description</a> has everything on these pages for programs.</p>`;
  return { title: 'API reference', content, sections: [...groupSections(api), ...sections] };
}

/** The resources, a grid for each group. */
function resourceGroups(api: ApiModel, { line }: FieldContext): string {
  return groupsOf(api)
    .map(([group, resources]) => {
      const cards = resources.map(({ tag, title, about }) => card(`/docs/${tag}`, title, about && line(about)));
      return `<h2 id="${slugOf(group)}">${group}</h2>\n${cardList(cards)}`;
    })
    .join('\n');
}

function groupSections(api: ApiModel): PageSection[] {
  return groupsOf(api).map(([group]) => ({ id: slugOf(group), title: group }));
}

export function groupsOf({ resources }: ApiModel): [group: string, resources: ResourceModel[]][] {
  return [...Map.groupBy(resources, ({ group }) => group)];
}

const slugOf = (group: string) => `resources-${new Slugs().next(group)}`;

function headerFields({ document }: ApiModel, context: FieldContext): string {
  const headers = Object.values(document.components.parameters!) as ParameterModel[];
  const fields = headers.map(({ name, schema, required = false, description }) => ({
    name,
    schema,
    description,
    isRequired: required,
  }));
  return fieldList(fields, context, 'required');
}

function answerHeaders({ document }: ApiModel, context: FieldContext): string {
  const headers = Object.entries(document.components.headers!) as [string, Omit<ParameterModel, 'name'>][];
  const fields = headers.map(([name, { schema, description }]) => ({ name, schema, description, isRequired: false }));
  return fieldList(fields, context, 'required');
}

function codesSection(kind: string, title: string, methods: string, codes: readonly string[]): string {
  const links = codes.map((code) => `<li><a href="/docs/errors#${code}"><code>${code}</code></a></li>`);
  return `<h2 id="errors-of-${kind}">${title}</h2>
<p>Every operation with ${methods} can be refused with these codes:</p>
<ul class="codes flowing">\n${links.join('\n')}\n</ul>`;
}
