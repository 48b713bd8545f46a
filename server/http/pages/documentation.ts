import type { ErrorRows } from '../../base/errors.ts';
import { escapeHtml, jsonPage, type Page } from '../../base/page.ts';
import type { AnyOperation } from '../../resources/operation.ts';
import { homePage, type RunMode } from './home.ts';
import { codeSpans, htmlPage } from './html.ts';
import { type Described, openApi } from './openapi/document.ts';

/** The reference that the server shows. The `Link` header of a refusal points to it. */
export function documentationPages(described: Described, mode: RunMode): Page[] {
  const { operations, errors, version } = described;
  // Made when they are first asked for: a start takes a tenth less time.
  const description = once(() => jsonPage(200, openApi(described)));
  const referencePage = once(() => htmlPage('Tollgate API', reference(operations)));
  const errorsPage = once(() => htmlPage('Errors', errorList(errors)));
  return [
    homePage(version, mode),
    { path: '/docs', counted: true, render: referencePage },
    { path: '/docs/errors', counted: true, render: errorsPage },
    { path: '/openapi.json', counted: true, render: description },
  ];
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function reference(operations: readonly AnyOperation[]): string {
  return `<p>Send requests over HTTPS with <code>Authorization: Bearer &lt;API key&gt;</code>. Bodies are JSON or forms, answers are JSON unless
<code>Accept</code> asks for something else that an operation offers.
Amounts are integers in the smallest unit of their currency, times are UTC epoch seconds. Make a retry of a POST or DELETE safe with an
<code>Idempotency-Key</code> header.</p>${operations.map(operationText).join('')}
<h2 id="versions">Versions</h2><p>v1 is current. Select it by the path (<code>/v1/…</code>), by <code>Accept: application/json; version=1</code> or by
<code>X-Service-Version: 1</code>. v0 was retired on 2024-12-31.</p>`;
}

function operationText(operation: AnyOperation): string {
  const rows = Object.entries(operation.input.properties).map(([name, schema]) => {
    const {
      type = '',
      description = '',
      properties,
    } = schema as { type?: string; description?: string; properties?: object };
    const parts = properties === undefined ? '' : Object.keys(properties).join(', ');
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(type)}</td><td>${escapeHtml(description || parts)}</td></tr>`;
  });
  const path = `/v1${operation.route.replaceAll(/:(\w+)/g, '{$1}')}`;
  const { offers = [] } = operation;
  return `<h2 id="${operation.name}">${escapeHtml(operation.summary)}</h2><p><code>${operation.method} ${path}</code>
<span class="meta">scope ${operation.scope}${offers.map((media) => `, also as ${media}`).join('')}</span></p>${rows.length === 0 ? '' : `<table>${rows.join('')}</table>`}`;
}

function errorList(errors: ErrorRows): string {
  return Object.entries(errors)
    .map(
      ([code, row]) =>
        `<h2 id="${code}">${code}</h2><p class="meta">${row.status} · ${row.type}</p><p>${escapeHtml(row.message)}</p><p>${codeSpans(row.help)}</p>`,
    )
    .join('');
}
