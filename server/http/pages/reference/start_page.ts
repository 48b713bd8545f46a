import { escapeHtml } from '../../../base/page.ts';
import { type FieldContext, fieldList } from './fields.ts';
import type { ReferenceContent } from './layout.ts';
import type { ApiModel, ParameterModel } from './model.ts';
import type { CommonCodes } from './refusals.ts';
import { type SampleOptions, sampleBase } from './samples.ts';
import { codeBlock } from './text.ts';

const sections = [
  { id: 'resources', title: 'Resources' },
  { id: 'set-up', title: 'Before you paste a sample' },
  { id: 'requests', title: 'Requests' },
  { id: 'answers', title: 'Answers' },
  { id: 'errors-of-reads', title: 'Errors of every read' },
  { id: 'errors-of-changes', title: 'Errors of every change' },
  { id: 'versions', title: 'Versions' },
];

/** The first page of the reference: what holds for every request. */
export function startPage(
  api: ApiModel,
  context: FieldContext,
  common: CommonCodes,
  samples: SampleOptions,
): ReferenceContent {
  const info = api.document.info as { description: string };
  const content = `<p class="lead">${context.line(info.description)}</p>
<h2 id="resources">Resources</h2>
<ul class="cards">${api.resources.map(({ tag, title, about }) => card(`/docs/${tag}`, title, about, context)).join('\n')}
${card('/docs/event_types', 'Event types', 'The changes that are recorded as events, and sent to webhook endpoints.', context)}
${card('/docs/errors', 'Errors', 'Every error code, and what to do about it.', context)}</ul>
${setUp(samples)}
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
  return { title: 'Tollgate API', content, sections };
}

function card(path: string, title: string, about: string | undefined, { line }: FieldContext): string {
  // A link within a link is not possible, so the sentence stands beside it.
  return `<li><a href="${path}">${escapeHtml(title)}</a>${about === undefined ? '' : `<p>${line(about)}</p>`}</li>`;
}

function setUp({ hasLocalCertificate }: SampleOptions): string {
  const commands = hasLocalCertificate
    ? `export TOLLGATE_API_KEY=$(jq -r .test_secret_key .tollgate/dev.json)
export NODE_EXTRA_CA_CERTS=.tollgate/tls/ca.pem`
    : `read -rs TOLLGATE_API_KEY && export TOLLGATE_API_KEY`;
  const words = hasLocalCertificate
    ? 'The samples read the API key from a variable. In the folder in which <code>tollgate dev</code> runs, take the test key of the demo account, and let Node trust the local certificate:'
    : 'The samples read the API key from a variable. Type it in once, so that it does not stay in the history of the shell:';
  return `<h2 id="set-up">Before you paste a sample</h2>
<p>${words}</p>
${codeBlock(commands, 'sh')}<p>The samples in TypeScript use the package <code>@tollgate/node</code>. Ids in samples are examples: put in
your own.</p>`;
}

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
