import { escapeHtml } from '../../base/page.ts';
import type { FakePage, FakeRequest } from '../server.ts';
import { challengePath } from './challenge_action.ts';
import { approve, decline, failChallenge } from './outcomes.ts';
import { decideSetup } from './setup_outcomes.ts';
import type { FakeIntent, FakePaymentMethod, FakeSetupIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** The page where the cardholder decides, and what their decision leads to. */
export function servePage(world: FakeWorld, { method, path, body }: FakeRequest): FakePage | undefined {
  if (!path.startsWith(challengePath)) return undefined;
  const token = path.slice(challengePath.length);
  return method === 'POST'
    ? decideChallenge(world, token, new URLSearchParams(body).get('decision'))
    : challengePage(world, token);
}

function challengePage(world: FakeWorld, token: string): FakePage {
  const intent = intentOf(world, token);
  if (intent === undefined) return { status: 404, html: page('<p>This authentication is over.</p>') };
  const about =
    intent.object === 'setup_intent' ? 'Saving your card' : `A payment of ${intent.amount} ${intent.currency}`;
  const button = (decision: string, label: string) => `<button name="decision" value="${decision}">${label}</button>`;
  return {
    status: 200,
    html: page(
      `<p>${escapeHtml(about)} needs your approval.</p><form method="post">${button('approve', 'Approve')} ${button('fail', 'Fail')}</form>`,
    ),
  };
}

/** Decides, and sends the browser back to the shop. */
function decideChallenge(world: FakeWorld, token: string, decision: string | null): FakePage {
  const intent = intentOf(world, token);
  if (intent === undefined) return { status: 404, html: page('<p>This authentication is over.</p>') };
  if (decision !== 'approve' && decision !== 'fail')
    return { status: 400, html: page('<p>The decision is approve or fail.</p>') };
  const next = intent.next_action;
  world.challenges.delete(token);
  const method = world.get<FakePaymentMethod>(intent.payment_method!);
  if (intent.object === 'setup_intent') decideSetup(world, intent, method, decision === 'approve');
  else decidePayment(world, intent, method, decision === 'approve');
  const returnUrl = next?.redirect_to_url?.return_url;
  if (!returnUrl) return { status: 200, html: page('<p>You can close this page.</p>') };
  const location = new URL(returnUrl);
  location.searchParams.set(intent.object, intent.id);
  location.searchParams.set(`${intent.object}_client_secret`, intent.client_secret);
  const isFailed = (intent as { status: string }).status === 'requires_payment_method';
  location.searchParams.set('redirect_status', isFailed ? 'failed' : 'succeeded');
  return { status: 303, html: '', location: location.href };
}

function decidePayment(world: FakeWorld, intent: FakeIntent, method: FakePaymentMethod, isApproved: boolean): void {
  const { declineAfterChallenge } = world.behaviours.get(method.id) ?? {};
  if (!isApproved) failChallenge(world, intent, method);
  else if (declineAfterChallenge !== undefined) decline(world, intent, method, declineAfterChallenge);
  else approve(world, intent, method);
}

/** The intent that waits for this decision. */
function intentOf(world: FakeWorld, token: string): FakeIntent | FakeSetupIntent | undefined {
  const id = world.challenges.get(token);
  const intent = id === undefined ? undefined : world.get<FakeIntent | FakeSetupIntent>(id);
  const next = intent?.status === 'requires_action' ? JSON.stringify(intent.next_action) : '';
  return next.includes(token) ? intent : undefined;
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fake bank</title><h1>Fake bank</h1>${body}</html>`;
}
