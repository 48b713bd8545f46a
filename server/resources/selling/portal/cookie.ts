import type { IncomingHttpHeaders } from 'node:http';
import type { Tenant } from '../../../base/reads.ts';
import type { Secret } from '../../../base/secret.ts';
import { looksLikeToken } from '../../people/sessions/session.ts';

/** Of one portal: who is a customer of several shops stays signed in to each. */
const nameOf = (tenant: Tenant) => `__Host-tollgate-portal-${tenant}`;

/** Scripts cannot read it, and no other host can set it. Lax: a customer who comes back from a bank brings it along. */
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax';

export function sessionCookie(tenant: Tenant, token: Secret): string {
  return `${nameOf(tenant)}=${token.open()}; ${attributes}`;
}

export const noCookie = (tenant: Tenant) => `${nameOf(tenant)}=; Max-Age=0; ${attributes}`;

export function tokenIn({ cookie = '' }: IncomingHttpHeaders, tenant: Tenant): string | undefined {
  const value = new RegExp(`(?:^|;\\s*)${nameOf(tenant)}=(\\w+)(?:;|$)`).exec(cookie)?.[1];
  return value !== undefined && looksLikeToken(value) ? value : undefined;
}
