import { timingSafeEqual } from 'node:crypto';
import { type Id, isId } from '../../../base/id.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Tenant } from '../../../base/reads.ts';

/** A token follows. */
export const returnPath = '/return/';

/** What a cardholder comes back from: a payment, or a setup. */
export type ReturnedId = Id<'py'> | Id<'set'>;

const macBytes = 16; // 128 bits: too many to guess

/**
 * The token of the page that a cardholder comes back to: tenant, payment or setup, and a keyed hash over both. Nobody without the root key
 * can make one, and the token of one payment tells nothing about that of another; so it is as good as a random one that is stored, and
 * costs a payment no write.
 */
export function returnToken(keyring: Keyring, tenant: Tenant, id: ReturnedId): string {
  return `${tenant}-${id}-${macOf(keyring, tenant, id).toString('base64url')}`;
}

/** The address of the page for a payment or a setup. From there the cardholder goes on to the merchant's `return_url`. */
export function returnUrlOf(
  { keyring, publicUrl, tenant }: { keyring: Keyring; publicUrl: () => string; tenant: Tenant },
  id: ReturnedId,
): string {
  return `${publicUrl()}${returnPath}${returnToken(keyring, tenant, id)}`;
}

/** The payment or the setup that a token is for; undefined when we have not made it. */
export function readReturnToken(keyring: Keyring, token: string): { tenant: Tenant; id: ReturnedId } | undefined {
  const [, tenantText = '', id = '', mac = ''] = /^([1-9]\d{0,9})-((?:py|set)_\w+)-([\w-]{22})$/.exec(token) ?? [];
  if (!isId('py', id) && !isId('set', id)) return undefined;
  const tenant = Number(tenantText) as Tenant;
  const sent = Buffer.from(mac, 'base64url');
  return timingSafeEqual(sent, macOf(keyring, tenant, id)) ? { tenant, id } : undefined;
}

function macOf(keyring: Keyring, tenant: Tenant, id: string): Buffer {
  return keyring.hmac('return', `${tenant}/${id}`).subarray(0, macBytes);
}
