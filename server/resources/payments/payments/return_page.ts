import { createHash } from 'node:crypto';
import { BriefCache } from '../../../base/brief_cache.ts';
import { settlesWithin } from '../../../base/keyed_queue.ts';
import type { Page, Rendered } from '../../../base/page.ts';
import type { Services } from '../../../operations/services.ts';
import { attemptsTable } from '../attempts/store.ts';
import type { PaymentJobs } from './jobs.ts';
import type { Payment, PaymentStatus } from './payment.ts';
import { readReturnToken, returnPath } from './return_token.ts';
import { withPayment } from './return_url.ts';
import { paymentsTable } from './store.ts';

/** How often the processor is asked about one payment, however often its page is opened. */
const askedEveryMs = 2_000;
/** How long the cardholder waits for the processor. The question goes on. */
const patienceMs = 5_000;
const entriesMax = 10_000;

/**
 * Where a cardholder comes back to after an authentication. What the query says is not believed: the processor is asked, and then the
 * cardholder goes on to the shop. The shop learns the outcome from us, never from the address.
 */
export function returnPage(services: Services, jobs: PaymentJobs): Page {
  const { reads, keyring, clock, log } = services;
  const looks = new BriefCache<string, void>({ clock, keptMs: askedEveryMs, entriesMax });
  const look = async ({ id, tenant, open_attempt, authorization_attempt }: Payment): Promise<void> => {
    const attempt = await reads.one(attemptsTable, tenant, open_attempt ?? authorization_attempt ?? '');
    // An attempt without any answer is not asked about here: "not found" could mean "not yet".
    if (attempt?.state !== 'challenged' && attempt?.state !== 'pending') return;
    const notice = { id: `${id}/return`, tenant, kind: 'attempt_changed', attempt: attempt.id } as const;
    await jobs.attempt_changed(notice, attempt).catch((error: unknown) => {
      log.warn({ payment: id, error: String(error) }, 'could not settle a payment after the cardholder returned');
    });
  };
  return {
    path: `${returnPath}:token`,
    counted: true,
    async render({ params: { token = '' } }) {
      const named = readReturnToken(keyring, token);
      const find = async () => named && reads.one(paymentsTable, named.tenant, named.payment);
      const before = await find();
      if (before === undefined) return html(404, missing);
      if (!isWaiting(before)) return onwards(before);
      await settlesWithin(
        looks.get(before.id, () => look(before)),
        patienceMs,
      );
      return onwards((await find()) ?? before);
    },
  };
}

function isWaiting({ status }: Payment): boolean {
  return status === 'requires_action' || status === 'processing';
}

function onwards({ id, status, return_url }: Payment): Rendered {
  if (return_url === null) return html(200, texts[status]);
  return {
    status: 303,
    contentType: htmlType,
    body: '',
    headers: { ...guards, Location: withPayment(return_url, id) },
  };
}

type Words = { title: string; words: string };

const close = 'You can close this page.';
const approved = { title: 'Your payment was approved', words: close };
const open = {
  title: 'Your payment is not finished yet',
  words: `The shop is notified as soon as it is. Please do not pay again. ${close}`,
};
const texts: Record<PaymentStatus, Words> = {
  succeeded: approved,
  requires_capture: approved,
  failed: { title: 'Your payment failed', words: `You were not charged. ${close}` },
  canceled: { title: 'Your payment was canceled', words: `You were not charged. ${close}` },
  processing: open,
  requires_action: open,
};
const missing: Words = { title: 'There is no such page', words: 'Please go back to the shop.' };

const htmlType = 'text/html; charset=utf-8';
const style = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; }
  main { width: min(28rem, calc(100vw - 4rem)); padding: 2rem 0; }
  h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 1rem; } p { margin: 0; }`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The token is in the address: no referrer may leak it, and no frame may show the page. */
const guards = {
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

function html(status: number, { title, words }: Words): Rendered {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${words}</p></main></body></html>`;
  return { status, contentType: htmlType, body, headers: guards };
}
