import { createHash } from 'node:crypto';
import { escapeHtml, type Rendered } from '../../base/page.ts';

const style = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #0a7d5a; }
  @media (prefers-color-scheme: dark) { :root { --accent: #4fd1a5; } }
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; overflow-wrap: break-word; }
  nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; border-bottom: 1px solid var(--line); padding-bottom: .75rem; }
  a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
  h1 { font-size: 1.9rem; line-height: 1.2; margin: 2rem 0 1rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
  h2:target { color: var(--accent); }
  code { font: .9em ui-monospace, monospace; background: var(--soft); padding: .1em .35em; border-radius: 4px; }
  pre { background: var(--soft); padding: 1rem; border-radius: 8px; overflow-x: auto; } pre code { background: none; padding: 0; }
  table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .4rem .75rem .4rem 0; vertical-align: top; }
  tr { border-bottom: 1px solid var(--line); } .meta { opacity: .75; font-size: .9rem; }`;

/** Pages load nothing and cannot be framed. Of what is inline, only the page's own style is allowed. */
function policyFor(allStyle: string): string {
  const hash = createHash('sha256').update(allStyle).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** `ownStyle` is added to the style that all pages share. */
export function htmlPage(title: string, content: string, ownStyle = ''): Rendered {
  const allStyle = style + ownStyle;
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Tollgate</title><style>${allStyle}</style></head>
<body><nav><a href="/"><strong>Tollgate</strong></a><a href="/docs">API</a><a href="/docs/errors">Errors</a><a href="/openapi.json">OpenAPI</a></nav>
<h1>${escapeHtml(title)}</h1>${content}</body></html>`;
  const headers = { 'Content-Security-Policy': policyFor(allStyle) };
  return { status: 200, contentType: 'text/html; charset=utf-8', body, headers };
}

/** Text with `code` in backticks, as HTML. */
export function codeSpans(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
