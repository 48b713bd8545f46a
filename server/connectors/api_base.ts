import { isLoopback } from '../base/loopback.ts';
import type { Setting, SettingsReader } from '../base/setting.ts';

/** Where requests may go. */
export type BaseRules = {
  /** Host names that the operator has allowed, with a port unless it is the usual one. */
  allowedHosts: readonly string[];
  /** In development a fake of the processor may run on this machine, without TLS. */
  isDevelopment: boolean;
};

/** Where an account's requests go, and the processor's own address, which is always allowed. */
export type BaseAddress = { base: string; official: string };

/**
 * Why requests must not be sent to an address; undefined if they may. Credentials go there with every request, so the address is
 * matched exactly.
 */
export function objectionToBase(
  { base, official }: BaseAddress,
  { allowedHosts, isDevelopment }: BaseRules,
): string | undefined {
  if (base === official) return undefined;
  if (!URL.canParse(base)) return `it must be an address such as ${official}`;
  const url = new URL(base);
  if (url.origin !== base) return `it must consist of scheme, host and port alone, such as ${official}`;
  const isLocal = isDevelopment && isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) return 'it must begin with https://';
  if (isLocal || allowedHosts.includes(url.host)) return undefined;
  return `the host ${url.host} is not allowed; the operator can name it in PROCESSOR_ALLOWED_HOSTS`;
}

export const allowedHostsSetting: Setting = {
  name: 'PROCESSOR_ALLOWED_HOSTS',
  meaning:
    "Hosts besides Stripe's own that [`api_base`](stripe.md#settings) may name, with a port unless it is 443, separated by commas. `dev` also permits loopback addresses.",
};

export function readBaseRules(reader: SettingsReader): BaseRules {
  const allowedHosts = reader.list(allowedHostsSetting);
  for (const host of allowedHosts)
    if (!isHost(host)) reader.problem(`PROCESSOR_ALLOWED_HOSTS: ${host} is not a host name in lower case.`);
  return { allowedHosts, isDevelopment: reader.isDevelopment };
}

function isHost(host: string): boolean {
  const url = `https://${host}`;
  return URL.canParse(url) && new URL(url).host === host;
}
