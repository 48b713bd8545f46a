import { randomText } from '../books.ts';
import type { FakeWorld } from './world.ts';

export const challengePath = '/_fake/challenge/';

type FakeNextAction =
  | { type: 'use_stripe_sdk'; use_stripe_sdk: { type: string; stripe_js: string } }
  | { type: 'redirect_to_url'; redirect_to_url: { return_url: string; url: string } };

/**
 * Opens a page where the cardholder of an intent decides. Without a `return_url`, or where the caller says so, Stripe leaves the challenge
 * to its script in the browser.
 */
export function challengeAction(
  world: FakeWorld,
  intent: string,
  { return_url, usesScript }: { return_url: string | undefined; usesScript: boolean },
): FakeNextAction {
  const token = randomText(32);
  world.challenges.set(token, intent);
  const url = `${world.url}${challengePath}${token}`;
  return return_url === undefined || usesScript
    ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
    : { type: 'redirect_to_url', redirect_to_url: { return_url, url } };
}
