import type { ErrorRows } from '../../base/errors.ts';
import type { AnyOperation } from '../../resources/operation.ts';
import { openApi } from './openapi.ts';
import { json, type Page, type Rendered } from './pages.ts';

/** The reference that the server itself shows: what the `Link` header of a refusal points at. */
export function documentationPages(operations: readonly AnyOperation[], errors: ErrorRows, version: string): Page[] {
  const description = openApi(operations, errors, version);
  return [
    { path: '/', counted: true, render: () => ({ ...html('', ''), status: 302, headers: { Location: '/docs' } }) },
    { path: '/docs', counted: true, render: () => html('Tollgate API', reference(operations)) },
    { path: '/docs/errors', counted: true, render: () => html('Errors', errorList(errors)) },
    { path: '/openapi.json', counted: true, render: () => json(200, description) },
  ];
}

const style = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #0a7d5a; }
  @media (prefers-color-scheme: dark) { :root { --accent: #4fd1a5; } }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
  nav { display: flex; gap: 1.25rem; border-bottom: 1px solid var(--line); padding-bottom: .75rem; }
  a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
  h1 { font-size: 1.9rem; line-height: 1.2; margin: 2rem 0 1rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
  h2:target { color: var(--accent); }
  code { font: .9em ui-monospace, monospace; background: var(--soft); padding: .1em .35em; border-radius: 4px; }
  pre { background: var(--soft); padding: 1rem; border-radius: 8px; overflow-x: auto; } pre code { background: none; padding: 0; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .4rem .75rem .4rem 0; vertical-align: top; }
  tr { border-bottom: 1px solid var(--line); } .meta { opacity: .75; font-size: .9rem; }`;

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function html(title: string, content: string): Rendered {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Tollgate</title><style>${style}</style></head>
<body><nav><strong>Tollgate</strong><a href="/docs">API</a><a href="/docs/errors">Errors</a><a href="/openapi.json">OpenAPI</a></nav>
<h1>${escapeHtml(title)}</h1>${content}</body></html>`;
  return { status: 200, contentType: 'text/html; charset=utf-8', body, headers: { 'Content-Security-Policy': policy } };
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
        `<h2 id="${code}">${code}</h2><p class="meta">${row.status} · ${row.type}</p><p>${escapeHtml(row.message)}</p><p>${inline(row.help)}</p>`,
    )
    .join('');
}

function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
