import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Keyring } from '../../../base/keyring.ts';
import { fewRandomBytes } from '../../../base/random.ts';

const cookieName = '__Host-tollgate-pay';
const cookieBytes = 16;

/** Scripts cannot read it, and no other host can set it. Lax: a customer who comes back from a bank brings it along. */
const cookieOf = (value: string) => `${cookieName}=${value}; Path=/; HttpOnly; Secure; SameSite=Lax`;

/** Ties the forms of a page to the browser that was shown it, without storing anything. */
export class FormGuard {
  readonly #keyring: Keyring;
  readonly #publicUrl: () => string;

  constructor(keyring: Keyring, publicUrl: () => string) {
    this.#keyring = keyring;
    this.#publicUrl = publicUrl;
  }

  /** The token of the forms of this page for this browser, and the header that makes it known where it is not yet. */
  issue(token: string, headers: IncomingHttpHeaders): { formToken: string; headers: Record<string, string> } {
    const known = cookieIn(headers);
    const cookie = known ?? Buffer.from(fewRandomBytes(cookieBytes)).toString('base64url');
    return {
      formToken: this.#tokenOf(token, cookie),
      headers: known === undefined ? { 'Set-Cookie': cookieOf(cookie) } : {},
    };
  }

  /** Whether a form was sent by a page of ours that this browser was shown. */
  admits(token: string, formToken: string, headers: IncomingHttpHeaders): boolean {
    const cookie = cookieIn(headers);
    if (cookie === undefined || !this.#isOwnSite(headers)) return false;
    const [sent, expected] = [Buffer.from(formToken), Buffer.from(this.#tokenOf(token, cookie))];
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  }

  /** Browsers say which site a request comes from. The page sends no referrer, and so its `Origin` is `null`: then token and cookie decide. */
  #isOwnSite({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    if (origin === undefined || origin === 'null') return true;
    return origin === new URL(this.#publicUrl()).origin || origin === `https://${host}`;
  }

  #tokenOf(token: string, cookie: string): string {
    return this.#keyring.hmac('csrf', `checkout/${token}/${cookie}`).subarray(0, 16).toString('base64url');
  }
}

function cookieIn({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{22})(?:;|$)`).exec(cookie)?.[1];
}
