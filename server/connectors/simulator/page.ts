import type { Page, Rendered } from '../../base/page.ts';
import type { ConnectorTools } from '../registration.ts';
import { challengePath } from './challenge_page.ts';
import type { Challenges } from './challenges.ts';
import type { FramedPage } from './page_frame.ts';

/**
 * Where a cardholder approves or refuses a payment, in place of a bank's own page. The address is the permission: it contains a random
 * token for one payment. Opening the page decides nothing, only submitting its form does.
 */
export function cardholderPage(challenges: Challenges, report: ConnectorTools['report']): Page {
  const show = async (token: string, status: number) => {
    const page = await challenges.show(token);
    return page === undefined ? missingPage : answerWith(status, page);
  };
  const decide = async (token: string, body: Buffer) => {
    const decision = new URLSearchParams(body.toString('latin1')).get('decision');
    if (decision !== 'approve' && decision !== 'refuse') return show(token, 400);
    const decided = await challenges.decide(token, decision);
    if (decided === undefined) return missingPage;
    const { tenant, account, attempt, returnUrl } = decided;
    // The payment is updated before the cardholder goes back.
    const about = account === undefined ? { tenant } : { tenant, account };
    await report({ id: `${attempt}/decision`, ...about, kind: 'attempt_changed', attempt });
    return returnUrl === undefined ? show(token, 200) : answerWith(303, undefined, { Location: returnUrl });
  };
  return {
    path: `${challengePath}:token`,
    counted: true,
    methods: ['GET', 'HEAD', 'POST'],
    render: ({ method, params: { token = '' }, body }) => (method === 'POST' ? decide(token, body) : show(token, 200)),
  };
}

/** The token is in the address: no referrer may leak it, no frame may show the page, and no search engine may list it. */
const guards = {
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Without a page: a redirect. */
export function answerWith(
  status: number,
  page: FramedPage | undefined,
  headers: Record<string, string> = {},
): Rendered {
  const policy = page === undefined ? {} : { 'Content-Security-Policy': page.csp };
  return html(status, page?.html ?? '', { ...policy, ...headers });
}

function html(status: number, body: string, headers: Record<string, string>): Rendered {
  return { status, contentType: 'text/html; charset=utf-8', body, headers: { ...guards, ...headers } };
}

export const missingPage = html(
  404,
  '<!doctype html><html lang="en"><title>Not found</title><p>There is no such page, or its time is over.</p></html>',
  { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
);
