import { timingSafeEqual } from 'node:crypto';
import { isId } from '../../../base/id.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { PaymentLinkId } from '../payment_link_state/payment_link.ts';

/** A token follows. */
export const linkPath = '/l/';

const macBytes = 16; // 128 bits: too many to guess

/** The address of a link: its token names tenant and link, with a keyed hash over both, so that nobody finds links by trying ids. */
export function linkUrlOf(
  { keyring, publicUrl, tenant }: { keyring: Keyring; publicUrl: () => string; tenant: Tenant },
  id: PaymentLinkId,
): string {
  return `${publicUrl()}${linkPath}${tenant}-${id}-${macOf(keyring, tenant, id).toString('base64url')}`;
}

/** The link that a token is for; undefined when we have not made it. */
export function readLinkToken(keyring: Keyring, token: string): { tenant: Tenant; id: PaymentLinkId } | undefined {
  const [, tenantText = '', id = '', mac = ''] = /^([1-9]\d{0,9})-(plink_\w+)-([\w-]{22})$/.exec(token) ?? [];
  if (!isId('plink', id)) return undefined;
  const tenant = Number(tenantText) as Tenant;
  return timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(keyring, tenant, id)) ? { tenant, id } : undefined;
}

function macOf(keyring: Keyring, tenant: Tenant, id: string): Buffer {
  return keyring.hmac('payment_link', `${tenant}/${id}`).subarray(0, macBytes);
}
