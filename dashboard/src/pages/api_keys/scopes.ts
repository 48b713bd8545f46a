import type { ApiKey } from '@tollgate/node';
import { keyScopes } from '../../generated/catalog.ts';
import type { Right } from '../../session/rights.ts';

/** What restricted keys can be allowed to do, by resource. */
const scopes: Readonly<Record<string, { read?: readonly Right[]; write?: readonly Right[] }>> = keyScopes;
export const scopeResources: readonly string[] = Object.keys(scopes);

/** No operation changes these. */
export function isReadOnly(resource: string): boolean {
  return scopes[resource]?.write === undefined;
}

/** Resources whose scopes count for others too. */
export const alsoFor: Readonly<Record<string, string>> = { prices: 'and coupons', invoices: 'and invoice items' };

export type Access = 'none' | 'read' | 'write';
export type Chosen = Readonly<Record<string, Access>>;

export function scopesOf(chosen: Chosen): string[] {
  const granted = Object.entries(chosen).filter(([, access]) => access !== 'none');
  return granted.map(([resource, access]) => `${resource}:${access}`);
}

type May = (right: Right) => boolean;

/** Whether a key with the scope could do more than somebody who may make keys: then the API refuses to make it. */
export function isBeyond(scope: string, may: May): boolean {
  const [resource = '', access] = scope.split(':') as [string?, ('read' | 'write')?];
  const needed = access === undefined ? undefined : scopes[resource]?.[access];
  return needed !== undefined && !needed.every(may);
}

/** A secret key has all scopes. */
export function isKeyBeyond({ kind, scopes = [] }: Pick<ApiKey, 'kind' | 'scopes'>, may: May): boolean {
  const granted = kind === 'secret' ? scopeResources.map((resource) => `${resource}:write`) : scopes;
  return granted.some((scope) => isBeyond(scope, may));
}

/** Writing includes reading; what is no scope that a key can have is left out. */
export function withoutIncluded(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => {
    const [resource = '', access] = scope.split(':');
    const isKnown = scopeResources.includes(resource);
    return isKnown && !(access === 'read' && scopes.includes(`${resource}:write`));
  });
}

/** The scopes that a key has needed, if it could do with them alone; undefined if it has no more, or was not used. */
export function narrowerScopes({ kind, status, scopes = [], used_scopes }: ApiKey): string[] | undefined {
  const used = withoutIncluded(used_scopes);
  if (status !== 'active' || used.length === 0) return undefined;
  const hasMore = kind === 'secret' || withoutIncluded(scopes).some((scope) => !used.includes(scope));
  return hasMore ? used : undefined;
}

const plainPaths: Readonly<Record<string, string>> = { balance: '/v1/balance', routing: '/v1/routing' };

/** Something to read with a key, to see that it works. */
export function firstPathOf({ kind, scopes = [] }: Pick<ApiKey, 'kind' | 'scopes'>): string {
  const resource = kind === 'secret' ? 'payments' : (scopes[0]?.split(':')[0] ?? 'payments');
  return plainPaths[resource] ?? `/v1/${resource}?limit=3`;
}
