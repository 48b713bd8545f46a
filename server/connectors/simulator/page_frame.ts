import { createHash } from 'node:crypto';
import { payingLook } from '../../base/look/look.ts';

/** `csp` is the value of the `Content-Security-Policy` header. */
export type FramedPage = { html: string; csp: string };

const style = payingLook();
const styleHash = createHash('sha256').update(style).digest('base64');

/** HTML. `summary`: what is paid, beside what is asked; without it, the page has one column. */
export type FrameParts = { title: string; body: string; summary?: string };

/** A page of the simulator, in the look of the pages that customers pay on. */
export function framedPage({ title, body, summary }: FrameParts): FramedPage {
  const top = `<header class="top"><p class="merchant">Tollgate simulator</p><p class="test">A test page: no real card is charged.</p></header>`;
  const content =
    summary === undefined
      ? `${top}<div class="lone"><main class="result"><h1>${title}</h1>${body}</main></div>`
      : `<div class="split"><div class="left"><div class="inner">${top}<section aria-label="Order summary">${summary}</section></div></div>
<div class="right"><main class="inner"><h1 class="heading">${title}</h1>${body}</main></div></div>`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="same-origin"><meta name="color-scheme" content="light dark">
<title>${title} – Tollgate simulator</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body>${content}</body></html>`;
  return { html, csp };
}

/**
 * The form posts to its own page. Browsers apply `form-action` to every redirect that follows too, and the last one leads to a shop whose
 * address only the gateway knows.
 */
const csp = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "form-action 'self' https: http:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
