import { createHash } from 'node:crypto';
import { BriefCache } from '../../../base/brief_cache.ts';
import { settlesWithin } from '../../../base/keyed_queue.ts';
import { lookText } from '../../../base/look/look.ts';
import type { Page, Rendered } from '../../../base/page.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { NoticeHandlers } from '../../../operations/notice_handlers.ts';
import { type Declared, extensionPoint } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { findAttempt } from '../attempts/find.ts';
import { type ReturnedId, returnPages } from './token.ts';
import { withParameter } from './url.ts';

/** How often the processor is asked about one payment, however often its page is opened. */
const askedEveryMs = 2_000;
/** How long the cardholder waits for the processor. The question goes on. */
const patienceMs = 5_000;
const entriesMax = 10_000;

/** What a cardholder comes back from. */
export type Returned = {
  tenant: Tenant;
  id: ReturnedId;
  status: string;
  return_url: string | null;
  /** The attempt that the cardholder may have decided on. */
  attempt: AttemptId | null;
};

export type Words = { title: string; words: string };

/** A kind of object that cardholders come back from. */
export type ReturnKind = {
  prefix: string;
  /** Its name in logs, and of the parameter that is added to the address of the shop. */
  name: string;
  find(reads: Reads, tenant: Tenant, id: string): Promise<Returned | undefined>;
  handlers: Required<Pick<NoticeHandlers, 'attempt_changed'>>;
  /** What the cardholder reads, by status, where there is no shop to go on to. */
  texts: Readonly<Record<string, Words>>;
};

export const returnKinds = extensionPoint<(services: Services, declared: Declared) => ReturnKind>('returns');

/**
 * Where a cardholder comes back to after an authentication. What the query says is not believed: the processor is asked, and then the
 * cardholder goes on to the shop. The shop learns the outcome from us, never from the address.
 */
export function returnPage({ reads, keyring, clock, log }: Services, kinds: readonly ReturnKind[]): Page {
  const looks = new BriefCache<string, void>({ clock, keptMs: askedEveryMs, entriesMax });
  const look = async ({ name, handlers }: ReturnKind, { id, tenant, attempt: asked }: Returned): Promise<void> => {
    const attempt = await findAttempt(reads, tenant, asked ?? '');
    // An attempt without any answer is not asked about here: "not found" could mean "not yet".
    if (attempt?.state !== 'challenged' && attempt?.state !== 'pending') return;
    const notice = { id: `${id}/return`, tenant, kind: 'attempt_changed', attempt: attempt.id } as const;
    await handlers.attempt_changed(notice, attempt).catch((error: unknown) => {
      log.warn({ [name]: id, error: String(error) }, 'could not settle what the cardholder returned from');
    });
  };
  return {
    path: `${returnPages.path}:token`,
    counted: true,
    async render({ params: { token = '' } }) {
      const named = returnPages.read(keyring, token);
      const kind = kinds.find(({ prefix }) => named?.id.startsWith(`${prefix}_`));
      if (named === undefined || kind === undefined) return html(404, missing);
      const find = () => kind.find(reads, named.tenant, named.id);
      const before = await find();
      if (before === undefined) return html(404, missing);
      if (!isWaiting(before)) return onwards(kind, before);
      await settlesWithin(
        looks.get(before.id, () => look(kind, before)),
        patienceMs,
      );
      return onwards(kind, (await find()) ?? before);
    },
  };
}

function isWaiting({ status }: Returned): boolean {
  return status === 'requires_action' || status === 'processing';
}

function onwards({ name, texts }: ReturnKind, { id, status, return_url }: Returned): Rendered {
  if (return_url === null) return html(200, texts[status] ?? missing);
  return {
    status: 303,
    contentType: htmlType,
    body: '',
    headers: { ...guards, Location: withParameter(return_url, name, id) },
  };
}

export const closePage = 'You can close this page.';
const missing: Words = { title: 'There is no such page', words: 'Please go back to the shop.' };

const htmlType = 'text/html; charset=utf-8';
const style = `${lookText()}
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
  body { font: 16px/1.5 var(--font); background: var(--ground); color: var(--text); }
  main { width: min(28rem, calc(100vw - 4rem)); padding: 2rem 0; }
  h1 { font-size: 1.375rem; font-weight: 600; line-height: 1.25; margin: 0 0 1rem; color: var(--heading); } p { margin: 0; }`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The token is in the address: no referrer may leak it, and no frame may show the page. */
const guards = {
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

function html(status: number, { title, words }: Words): Rendered {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${words}</p></main></body></html>`;
  return { status, contentType: htmlType, body, headers: guards };
}
