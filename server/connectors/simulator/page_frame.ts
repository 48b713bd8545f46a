import { createHash } from 'node:crypto';
import { lookText } from '../../base/look/look.ts';

/** `csp` is the value of the `Content-Security-Policy` header. */
export type FramedPage = { html: string; csp: string };

const style = `${lookText()}
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
  body { font: 16px/1.5 var(--font); background: var(--ground); color: var(--text); }
  main { width: min(24rem, calc(100vw - 4rem)); padding: 2rem 0; }
  h1 { font-size: 1.375rem; font-weight: 600; line-height: 1.25; margin: 0 0 1rem; color: var(--heading); }
  .note { border: 1px dashed var(--line); border-radius: 8px; padding: .5rem .75rem; margin: 0 0 1.5rem; background: var(--surface); }
  .amount { font-size: 2rem; font-weight: 600; margin: 0 0 1.5rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .lines { margin: 0 0 1.5rem; padding: 0; list-style: none; overflow-wrap: anywhere; }
  form { display: flex; flex-wrap: wrap; gap: .75rem; }
  fieldset { flex: 1 0 100%; border: 1px solid var(--line); border-radius: 8px; margin: 0; padding: .5rem .75rem; min-width: 0; }
  label { display: flex; gap: .5rem; align-items: center; min-height: 2rem; }
  button { font: inherit; font-weight: 600; flex: 1; padding: .75rem; border-radius: 8px; border: 1px solid var(--line);
    background: var(--surface); color: inherit; cursor: pointer; }
  button[value=approve], button[value=pay] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
  button:focus-visible, a:focus-visible, input:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
  a { color: var(--link); }`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** A page of the simulator. `body` is HTML. */
export function framedPage(title: string, body: string): FramedPage {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="same-origin">
<title>${title} – Tollgate simulator</title><style>${style}</style></head>
<body><main>
<p class="note">This is a test page of the Tollgate simulator. No real card is charged.</p>
<h1>${title}</h1>
${body}
</main></body></html>`;
  return { html, csp };
}

/**
 * The form posts to its own page. Browsers apply `form-action` to every redirect that follows too, and the last one leads to a shop whose
 * address only the gateway knows.
 */
const csp = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "font-src 'self'",
  "form-action 'self' https: http:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
