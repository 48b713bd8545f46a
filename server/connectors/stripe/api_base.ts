import { isLoopback } from '../../base/loopback.ts';

/** Where requests may go. */
export type BaseRules = {
  /** Host names that the operator has allowed, with a port unless it is the usual one. */
  allowedHosts: readonly string[];
  /** In development a fake of Stripe may run on this machine, without TLS. */
  isDevelopment: boolean;
};

export const stripeBase = 'https://api.stripe.com';

/**
 * Why requests must not be sent to an address; undefined when they may. The secret key goes there with every request, so the address is
 * matched exactly.
 */
export function objectionToBase(base: string, { allowedHosts, isDevelopment }: BaseRules): string | undefined {
  if (base === stripeBase) return undefined;
  if (!URL.canParse(base)) return `it must be an address such as ${stripeBase}`;
  const url = new URL(base);
  if (url.origin !== base) return `it must consist of scheme, host and port alone, such as ${stripeBase}`;
  const isLocal = isDevelopment && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return 'it must begin with https://';
  if (isLocal || allowedHosts.includes(url.host)) return undefined;
  return `the host ${url.host} is not allowed; the operator can name it in PROCESSOR_ALLOWED_HOSTS`;
}

/** What is wrong with an entry of the list of allowed hosts. */
export function objectionToHost(host: string): string | undefined {
  const url = `https://${host}`;
  return URL.canParse(url) && new URL(url).host === host ? undefined : `${host} is not a host name in lower case`;
}
