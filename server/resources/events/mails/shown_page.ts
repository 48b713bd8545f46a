import { timingSafeEqual } from 'node:crypto';
import { isId } from '../../../base/id.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Page, Rendered } from '../../../base/page.ts';
import type { Tenant } from '../../../base/reads.ts';
import { type LocaleTag, localeTags } from '../../../locales/index.ts';

/** What is shown: a mail that was written, or a sample of a kind in a language. */
export type ShownMail = { mail: string } | { kind: string; locale: LocaleTag };

const path = '/mail/';
const macBytes = 16; // 128 bits: too many to guess
const validSeconds = 3_600;

type Addressed = { tenant: Tenant; shown: ShownMail };

const nameOf = (shown: ShownMail) => ('mail' in shown ? shown.mail : `${shown.kind}.${shown.locale}`);

const macOf = (keyring: Keyring, signed: string) => keyring.hmac('mail_page', signed).subarray(0, macBytes);

/**
 * The address of a mail as a page, for an hour. It is the permission to see it: who may read the mail gets it from the API. Only there a browser
 * draws the styles of a mail, which the policy of the dashboard refuses.
 */
export function mailPagePath(keyring: Keyring, { tenant, shown }: Addressed, now: number): string {
  const signed = `${tenant}-${nameOf(shown)}-${Math.floor(now / 1_000) + validSeconds}`;
  return `${path}${signed}-${macOf(keyring, signed).toString('base64url')}`;
}

/** Undefined when we have not made it, or it is over. */
function readToken(keyring: Keyring, token: string, now: number): Addressed | undefined {
  const form = /^(([1-9]\d{0,9})-([\w.-]{3,60})-([1-9]\d{9,11}))-([\w-]{22})$/;
  const [, signed = '', tenant = '', name = '', until = '', mac = ''] = form.exec(token) ?? [];
  if (signed === '' || !timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(keyring, signed))) return undefined;
  if (Number(until) * 1_000 <= now) return undefined;
  const shown = shownBy(name);
  return shown && { tenant: Number(tenant) as Tenant, shown };
}

function shownBy(name: string): ShownMail | undefined {
  if (isId('mail', name)) return { mail: name };
  const [kind = '', tag] = name.split('.');
  const locale = localeTags.find((one) => one === tag);
  return locale && { kind, locale };
}

/**
 * Styles stand in the mail itself, as in every mail; nothing else is allowed. Within the sandbox it is a document of no origin, without scripts.
 * Its links open beside it, as pages of their own.
 */
const policy = [
  ...["default-src 'none'", "style-src 'unsafe-inline'", 'img-src data:', "base-uri 'none'", "form-action 'none'"],
  ...["frame-ancestors 'self'", 'sandbox allow-popups allow-popups-to-escape-sandbox'],
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const missing: Rendered = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: 'This address shows no mail any more. Open the mail again in the dashboard.\n',
  headers,
};

type MailPageParts = {
  keyring: Keyring;
  clock: { now(): number };
  htmlOf(addressed: Addressed): Promise<string | undefined>;
};

/** Shows the HTML of a mail, as programs for mail would. */
export function mailPage({ keyring, clock, htmlOf }: MailPageParts): Page {
  return {
    path: `${path}:token`,
    counted: 'page',
    logged: 'refused',
    async render({ params: { token = '' } }) {
      const addressed = readToken(keyring, token, clock.now());
      const html = addressed && (await htmlOf(addressed));
      if (html === undefined) return missing;
      const body = html.replace('<head>', '<head><base target="_blank">');
      return { status: 200, contentType: 'text/html; charset=utf-8', body, headers };
    },
  };
}
