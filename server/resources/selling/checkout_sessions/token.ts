import { timingSafeEqual } from 'node:crypto';
import { isId } from '../../../base/id.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { CheckoutSessionId } from './checkout_session.ts';

/** A token follows. */
export const payPath = '/pay/';

const macBytes = 16; // 128 bits: too many to guess

/** The token of a session's page: tenant, session, and a keyed hash over both, as that of `/return/`. */
export function checkoutToken(keyring: Keyring, tenant: Tenant, id: CheckoutSessionId): string {
  return `${tenant}-${id}-${macOf(keyring, tenant, id).toString('base64url')}`;
}

/** The address of a session's page. */
export function checkoutUrl(
  { keyring, publicUrl, tenant }: { keyring: Keyring; publicUrl: () => string; tenant: Tenant },
  id: CheckoutSessionId,
): string {
  return `${publicUrl()}${payPath}${checkoutToken(keyring, tenant, id)}`;
}

/** The session that a token is for; undefined when we have not made it. */
export function readCheckoutToken(
  keyring: Keyring,
  token: string,
): { tenant: Tenant; id: CheckoutSessionId } | undefined {
  const [, tenantText = '', id = '', mac = ''] = /^([1-9]\d{0,9})-(cs_\w+)-([\w-]{22})$/.exec(token) ?? [];
  if (!isId('cs', id)) return undefined;
  const tenant = Number(tenantText) as Tenant;
  const sent = Buffer.from(mac, 'base64url');
  return timingSafeEqual(sent, macOf(keyring, tenant, id)) ? { tenant, id } : undefined;
}

function macOf(keyring: Keyring, tenant: Tenant, id: string): Buffer {
  return keyring.hmac('checkout', `${tenant}/${id}`).subarray(0, macBytes);
}
