import { escapeHtml, type Page } from '../../base/page.ts';
import { brand, htmlPage } from './html.ts';

const links: readonly [path: string, name: string, about: string][] = [
  ['/dashboard', 'Dashboard', 'payments, customers and everything else, for people'],
  ['/docs', 'Documentation', 'a first payment in three steps, guides, and every operation with samples'],
  ['/docs/errors', 'Errors', 'every error code, and what to do about it'],
  ['/openapi.json', 'OpenAPI description', 'for API clients and code generators'],
  ['/healthz', 'Health', 'whether this server runs'],
];

const runs = {
  serve: 'It runs in production (<code>tollgate serve</code>).',
  dev: 'It runs for development (<code>tollgate dev</code>), with settings that are too weak for production.',
};
export type RunMode = keyof typeof runs;

/** The page at the address of the API, for visitors with a browser. */
export function homePage(version: string, mode: RunMode): Page {
  const content = `<header class="top above-home">${brand('/')}</header>
<main class="home"><h1>Payment gateway</h1>
<p class="lead">This address serves the API of <strong>Tollgate</strong> ${escapeHtml(version)}, a self-hosted payment gateway.
${runs[mode]}</p>
<p>People sign in to the dashboard. Programs use the API: your server sends its requests here, over HTTPS, with an API key. The
operator of this installation makes the keys.</p>
<pre tabindex="0"><code>curl https://&lt;this address&gt;/v1/payments \\
  -H 'Authorization: Bearer sk_test_tg_…'</code></pre>
<ul class="cards">${links.map(link).join('')}</ul></main>`;
  const rendered = htmlPage('Payment gateway', content);
  return { path: '/', counted: true, render: () => rendered };
}

function link([path, name, about]: (typeof links)[number]): string {
  return `<li><a href="${path}">${name}</a><p>${about}</p></li>`;
}
