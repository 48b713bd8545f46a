import { timingSafeEqual } from 'node:crypto';
import { isId } from '../../../base/id.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { PaymentId } from './payment.ts';

/** A token follows. */
export const returnPath = '/return/';

const macBytes = 16; // 128 bits: too many to guess

/**
 * The token of the page that a cardholder comes back to: tenant, payment, and a keyed hash over both. Nobody without the root key
 * can make one, and the token of one payment tells nothing about that of another; so it is as good as a random one that is stored, and
 * costs a payment no write.
 */
export function returnToken(keyring: Keyring, tenant: Tenant, payment: PaymentId): string {
  return `${tenant}-${payment}-${macOf(keyring, tenant, payment).toString('base64url')}`;
}

/** The payment that a token is for; undefined when we have not made it. */
export function readReturnToken(keyring: Keyring, token: string): { tenant: Tenant; payment: PaymentId } | undefined {
  const [, tenantText = '', payment = '', mac = ''] = /^([1-9]\d{0,9})-(py_\w+)-([\w-]{22})$/.exec(token) ?? [];
  if (!isId('py', payment)) return undefined;
  const tenant = Number(tenantText) as Tenant;
  const sent = Buffer.from(mac, 'base64url');
  return timingSafeEqual(sent, macOf(keyring, tenant, payment)) ? { tenant, payment } : undefined;
}

function macOf(keyring: Keyring, tenant: Tenant, payment: string): Buffer {
  return keyring.hmac('return', `${tenant}/${payment}`).subarray(0, macBytes);
}
