import { escapeHtml, type Page } from '../../base/page.ts';
import { htmlPage } from './html.ts';

const links: readonly [path: string, name: string, about: string][] = [
  ['/docs', 'API reference', 'every operation with its parameters and its scope'],
  ['/docs/errors', 'Errors', 'every error code, and what to do about it'],
  ['/openapi.json', 'OpenAPI description', 'for API clients and code generators'],
  ['/healthz', 'Health', 'whether this server runs'],
];

const style = `
  .lead { font-size: 1.15rem; }
  .links { list-style: none; margin: 2rem 0 0; padding: 0; display: grid; gap: 1rem; }
  .links { grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
  .links a { display: block; height: 100%; box-sizing: border-box; border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; }
  .links a:hover { border-color: var(--accent); text-decoration: none; }
  .links span { display: block; color: CanvasText; opacity: .75; font-size: .9rem; }`;

const runs = {
  serve: 'It runs in production (<code>tollgate serve</code>).',
  dev: 'It runs for development (<code>tollgate dev</code>), with settings that are too weak for production.',
};
export type RunMode = keyof typeof runs;

/** The page at the address of the API, for visitors with a browser. */
export function homePage(version: string, mode: RunMode): Page {
  const content = `<p class="lead">This address serves the API of <strong>Tollgate</strong> ${escapeHtml(version)}, a self-hosted payment gateway.
${runs[mode]}</p>
<p>It is meant for programs: your server sends its requests here, over HTTPS, with an API key. The operator of this installation makes
the keys.</p>
<pre><code>curl https://&lt;this address&gt;/v1/payments \\
  -H 'Authorization: Bearer sk_test_tg_…'</code></pre>
<ul class="links">${links.map(link).join('')}</ul>`;
  const rendered = htmlPage('Payment gateway', content, style);
  return { path: '/', counted: true, render: () => rendered };
}

function link([path, name, about]: (typeof links)[number]): string {
  return `<li><a href="${path}">${name}<span>${about}</span></a></li>`;
}
