import type { Page, PageRequest, Rendered } from '../../base/page.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Challenges } from '../../connectors/index.ts';

const path = '/simulator/challenge/:token';

/**
 * Where a cardholder approves or refuses, in place of a bank's own page. The address is the permission: it holds a random token for one
 * payment. Nothing is decided by opening it, only by sending its form.
 */
export function challengePage(parts: {
  challenges: Challenges;
  /** Brings the payment up to date before the cardholder goes back. */
  decided: (tenant: Tenant, payment: string) => Promise<void>;
}): Page {
  return {
    path,
    counted: true,
    methods: ['GET', 'HEAD', 'POST'],
    async render(request) {
      const token = request.params.token ?? '';
      return request.method === 'POST' ? decide(parts, token, request) : show(parts.challenges, token, 200);
    },
  };
}

async function decide(
  parts: Parameters<typeof challengePage>[0],
  token: string,
  request: PageRequest,
): Promise<Rendered> {
  const decision = new URLSearchParams(request.body.toString('latin1')).get('decision');
  if (decision !== 'approve' && decision !== 'refuse') return show(parts.challenges, token, 400);
  const place = await parts.challenges.decide(token, decision);
  if (place === undefined) return missing();
  await parts.decided(place.tenant, place.payment);
  if (place.returnUrl === undefined) return show(parts.challenges, token, 200);
  const headers = { ...guards, Location: withPayment(place.returnUrl, place.payment) };
  return { status: 303, contentType: 'text/html; charset=utf-8', body: '', headers };
}

async function show(challenges: Challenges, token: string, status: number): Promise<Rendered> {
  const page = await challenges.show(token);
  if (page === undefined) return missing();
  const headers = { ...guards, 'Content-Security-Policy': page.csp };
  return { status, contentType: 'text/html; charset=utf-8', body: page.html, headers };
}

function missing(): Rendered {
  const body =
    '<!doctype html><html lang="en"><title>Not found</title><p>There is no such page, or its time is over.</p></html>';
  const headers = { ...guards, 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" };
  return { status: 404, contentType: 'text/html; charset=utf-8', body, headers };
}

/** The token is in the address: it goes to nobody, and the page into no frame. */
const guards = { 'Referrer-Policy': 'no-referrer', 'X-Frame-Options': 'DENY' };

/** A header holds nothing else: other characters are percent-encoded first. */
function isAscii(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** The address as it was given, with the payment added to its query and nothing else changed. */
export function withPayment(url: string, payment: string): string {
  const [address = '', ...fragment] = (isAscii(url) ? url : new URL(url).href).split('#');
  const joined = `${address}${address.includes('?') ? '&' : '?'}payment=${payment}`;
  return fragment.length === 0 ? joined : `${joined}#${fragment.join('#')}`;
}
