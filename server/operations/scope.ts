/** What a restricted key can be allowed to do. Writing includes reading. */
export type Scope = `${string}:${'read' | 'write'}`;

/** Of operations that show objects of any kind: every key may call them, and they show it what its scopes allow. */
export const scopeOfAny: Scope = 'any:read';

/** Null is a secret key, which may do everything. */
export function allows(granted: readonly string[] | null, needed: Scope): boolean {
  if (granted === null || granted.includes(needed) || needed === scopeOfAny) return true;
  return needed.endsWith(':read') && granted.includes(needed.replace(':read', ':write'));
}
