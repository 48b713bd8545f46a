import { escapeHtml, type Rendered } from '../../base/page.ts';
import { assetAddress } from './reference/assets.ts';

/** Pages load style, font, script and results of the search from this server, nothing else, and have nothing inline. They cannot be framed. */
const policy = [
  ...["default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "img-src 'self'"],
  ...["font-src 'self'"],
  ...["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"],
].join('; ');

/** The whole text of a page. `body` is everything between the tags of the body. */
export function htmlPage(title: string, body: string): Rendered {
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} – Tollgate</title>
<link rel="icon" href="${assetAddress('icon.svg')}">
<link rel="preload" href="${assetAddress('inter.woff2')}" as="font" type="font/woff2" crossorigin><link rel="stylesheet" href="${assetAddress('style.css')}">
<script src="${assetAddress('script.js')}" defer></script></head>
<body>${body}</body></html>`;
  const headers = { 'Content-Security-Policy': policy };
  return { status: 200, contentType: 'text/html; charset=utf-8', body: text, headers };
}

/** The logo with the name, as a link. */
export function brand(href: string): string {
  return `<a class="brand" href="${href}"><img src="${assetAddress('icon.svg')}" alt="" width="24" height="24">Tollgate</a>`;
}

/** Text with `code` in backticks, as HTML. */
export function codeSpans(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
