import { createHash } from 'node:crypto';
import { moneyText } from '../../base/currency.ts';
import { lookText } from '../../base/look/look.ts';
import type { Money } from '../../base/money.ts';
import { escapeHtml } from '../../base/page.ts';

/** A random token follows. */
export const challengePath = '/simulator/challenge/';

/** `csp` is the value of the `Content-Security-Policy` header. */
export type ChallengePage = { html: string; csp: string };

export type PageState = 'open' | 'approved' | 'declined' | 'refused' | 'canceled';

const style = `${lookText()}
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
  body { font: 16px/1.5 var(--font); background: var(--ground); color: var(--text); }
  main { width: min(24rem, calc(100vw - 4rem)); padding: 2rem 0; }
  h1 { font-size: 1.375rem; font-weight: 600; line-height: 1.25; margin: 0 0 1rem; color: var(--heading); }
  .note { border: 1px dashed var(--line); border-radius: 8px; padding: .5rem .75rem; margin: 0 0 1.5rem; background: var(--surface); }
  .amount { font-size: 2rem; font-weight: 600; margin: 0 0 1.5rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  form { display: flex; gap: .75rem; }
  button { font: inherit; font-weight: 600; flex: 1; padding: .75rem; border-radius: 8px; border: 1px solid var(--line);
    background: var(--surface); color: inherit; cursor: pointer; }
  button[value=approve] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
  button:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }`;

const styleHash = createHash('sha256').update(style).digest('base64');

type Texts = Record<PageState, { title: string; words: string }>;

const over = 'There is nothing left to decide. You can close this page.';
const texts: Texts = {
  open: {
    title: 'Is this payment yours?',
    words: 'Your bank would ask you to confirm it. Choose what the cardholder does.',
  },
  approved: { title: 'You have approved this payment', words: over },
  declined: { title: 'Your bank has declined this payment', words: 'You had approved it. You can close this page.' },
  refused: { title: 'You have refused this payment', words: over },
  canceled: { title: 'This payment was canceled', words: over },
};

const setupTexts: Texts = {
  open: {
    title: 'May the shop charge this card later?',
    words: 'Your bank would ask you to confirm the card. Nothing is charged now. Choose what the cardholder does.',
  },
  approved: { title: 'You have confirmed this card', words: over },
  declined: { title: 'Your bank has declined this card', words: 'You had confirmed it. You can close this page.' },
  refused: { title: 'You have refused later charges of this card', words: over },
  canceled: { title: 'Confirming this card was canceled', words: over },
};

const buttons = `<form method="post">
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="refuse">Refuse</button>
</form>`;

/** Without money it is about a setup. */
export function challengePage(state: PageState, money: Money | undefined): ChallengePage {
  const { title, words } = (money === undefined ? setupTexts : texts)[state];
  const amount = money === undefined ? '' : `<p class="amount">${escapeHtml(moneyText(money))}</p>`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="same-origin">
<title>${title} – Tollgate simulator</title><style>${style}</style></head>
<body><main>
<p class="note">This is a test page of the Tollgate simulator. No real card is charged.</p>
<h1>${title}</h1>
${amount}
<p>${words}</p>
${state === 'open' ? buttons : ''}
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
