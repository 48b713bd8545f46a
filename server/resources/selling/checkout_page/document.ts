import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { payingLook, portalLook } from '../../../base/look/look.ts';
import { escapeHtml, type Rendered } from '../../../base/page.ts';
import { inAscii } from '../../../base/web_address.ts';
import type { Wording } from '../../../locales/words.ts';
import type { FieldHost, Merchant } from './view.ts';

/** Without comments and indentation, which nobody needs who pays. */
function program(name: string): string {
  const text = readFileSync(join(import.meta.dirname, 'assets', name), 'utf8');
  return text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .replaceAll(/^\s+/gm, '')
    .trim();
}

const looks = { paying: payingLook(), portal: `${payingLook()}${portalLook()}` } as const;
type PageLook = keyof typeof looks;
const programs = {
  checkout: program('checkout.js'),
  /** Runs before the first paint: on a narrow screen the summary begins closed, without a flash. */
  summary: 'if(innerWidth<960)document.getElementById("order").open=false',
};

export const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** The scripts of the page with the reason for each: PCI DSS 6.4.3. */
export const ownScripts: readonly { name: keyof typeof programs; hash: string; reason: string }[] = [
  {
    name: 'checkout',
    hash: sha256(programs.checkout),
    reason:
      'Formats what is typed, says what is missing, announces the end of the session, and loads the fields of a processor.',
  },
  {
    name: 'summary',
    hash: sha256(programs.summary),
    reason: 'Closes the order summary on a narrow screen before it is shown.',
  },
];

export const scriptTag = (name: keyof typeof programs) => `<script>${programs[name]}</script>`;

/** A part that is the same in every page. To encode it anew for each of them takes longer than all the rest of a page. */
type EncodedText = { text: string; bytes: Buffer };
const encoded = (text: string): EncodedText => ({ text, bytes: Buffer.from(text) });
const end = { withScript: encoded(`${scriptTag('checkout')}</body></html>`), plain: encoded('</body></html>') };

export type DocumentParts = {
  words: Wording;
  title: string;
  body: string;
  merchant?: Merchant | undefined;
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Hosts beside ours, and the origins that a form may lead to. */
  hosts?: readonly FieldHost[];
  formOrigins?: readonly string[];
  /** Whether the script of the page is needed. */
  hasScript?: boolean;
  look?: PageLook;
};

/** The whole answer: nothing in it comes from another host, but for what a connector lists. */
export function checkoutDocument(parts: DocumentParts): Rendered {
  const { words, title, body, merchant, status = 200, hasScript = true, hosts = [], look = 'paying' } = parts;
  const { tag, dir } = words.locale;
  const css = styledFor(merchant, look);
  const head = `<!doctype html>
<html lang="${tag}" dir="${dir}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,"><style>`;
  const content = `</style></head>
<body>${body}`;
  const tail = hasScript ? end.withScript : end.plain;
  const headers = {
    ...guards,
    // A wallet asks for the consent of its owner in a window, which has to answer the fields that have opened it.
    ...(hosts.length > 0 && { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' }),
    'Content-Security-Policy': policyOf(parts, css.hash),
    ...parts.headers,
  };
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    body: `${head}${css.text}${content}${tail.text}`,
    bytes: Buffer.concat([Buffer.from(head), css.bytes, Buffer.from(content), tail.bytes]),
    headers,
  };
}

/** The token is in the address: no referrer may leak it, no frame may show the page, and no search engine may list it. */
export const guards = {
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/** 303: whatever was sent here, the next request is a GET. */
export function redirect(location: string): Rendered {
  const policy = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
  const headers = { ...guards, 'Content-Security-Policy': policy, Location: inAscii(location) };
  return { status: 303, contentType: 'text/html; charset=utf-8', body: '', headers };
}

type PageStyle = EncodedText & { hash: string };

function styledAs(colours: string, look: PageLook): PageStyle {
  const text = `${colours}${looks[look]}`;
  return { ...encoded(text), hash: sha256(text) };
}
const plainStyles = { paying: styledAs('', 'paying'), portal: styledAs('', 'portal') };
const latestStyles = new Map<string, PageStyle>();
const latestStylesMax = 100;

/** The style in the colours of a merchant. The hash of a colour is computed once, as long as it is among those that were last new. */
function styledFor(merchant: Merchant | undefined, look: PageLook): PageStyle {
  const color = merchant?.colors;
  if (color === undefined) return plainStyles[look];
  const colours = `:root:root{--accent:${color.background};--on-accent:${color.text}}`;
  const name = `${look} ${colours}`;
  const known = latestStyles.get(name);
  if (known !== undefined) return known;
  if (latestStyles.size >= latestStylesMax) latestStyles.clear();
  const made = styledAs(colours, look);
  latestStyles.set(name, made);
  return made;
}

const ownHashes = ownScripts.map(({ hash }) => `'${hash}'`);

function policyOf(
  { hosts = [], formOrigins = [], merchant, hasScript = true }: DocumentParts,
  styleHash: string,
): string {
  const of = (use: FieldHost['use']) => hosts.filter((host) => host.use === use).map(({ origin }) => origin);
  const directive = (name: string, ...values: string[]) => (values.length === 0 ? '' : `${name} ${values.join(' ')}; `);
  // An image of the merchant's is served by us.
  const logo = merchant?.logo === undefined ? [] : ["'self'"];
  return [
    "default-src 'none'; ",
    directive('style-src', `'${styleHash}'`),
    directive('script-src', ...(hasScript ? ownHashes : []), ...of('script')),
    directive('img-src', ...logo, 'data:', ...of('image')),
    directive('connect-src', ...(hasScript ? ["'self'"] : []), ...of('connect')),
    directive('frame-src', ...of('frame')),
    directive('form-action', "'self'", ...new Set(formOrigins)),
    "base-uri 'none'; frame-ancestors 'none'",
  ].join('');
}
