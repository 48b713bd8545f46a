import type { Page, PageRequest, Rendered } from '../../base/page.ts';
import type { ConnectorTools } from '../registration.ts';
import { challengePath } from './challenge_page.ts';
import type { Challenges } from './challenges.ts';

/**
 * Where a cardholder approves or refuses, in place of a bank's own page. The address is the permission: it holds a random token for one
 * payment. Nothing is decided by opening it, only by sending its form.
 */
export function cardholderPage(challenges: Challenges, report: ConnectorTools['report']): Page {
  return {
    path: `${challengePath}:token`,
    counted: true,
    methods: ['GET', 'HEAD', 'POST'],
    async render(request) {
      const token = request.params.token ?? '';
      return request.method === 'POST' ? decide(challenges, report, token, request) : show(challenges, token, 200);
    },
  };
}

async function decide(
  challenges: Challenges,
  report: ConnectorTools['report'],
  token: string,
  request: PageRequest,
): Promise<Rendered> {
  const decision = new URLSearchParams(request.body.toString('latin1')).get('decision');
  if (decision !== 'approve' && decision !== 'refuse') return show(challenges, token, 400);
  const place = await challenges.decide(token, decision);
  if (place === undefined) return missing();
  // The payment is brought up to date before the cardholder goes back.
  const { tenant, attempt, payment, returnUrl } = place;
  await report({ id: `${attempt}/decision`, tenant, kind: 'payment_changed', attempt });
  if (returnUrl === undefined) return show(challenges, token, 200);
  const headers = { ...guards, Location: withPayment(returnUrl, payment) };
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
