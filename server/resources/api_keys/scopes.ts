/** What a restricted key can be allowed to touch. Writing includes reading. */
export const scopeResources = [
  'payments',
  'refunds',
  'disputes',
  'customers',
  'payment_methods',
  'events',
  'webhook_endpoints',
  'balance',
] as const;

export type Scope = `${(typeof scopeResources)[number]}:${'read' | 'write'}`;

export const scopes: readonly Scope[] = scopeResources.flatMap((resource) => [
  `${resource}:read` as const,
  `${resource}:write` as const,
]);

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** Null is a secret key, which may do everything. */
export function allows(granted: readonly string[] | null, needed: Scope): boolean {
  if (granted === null || granted.includes(needed)) return true;
  return needed.endsWith(':read') && granted.includes(needed.replace(':read', ':write'));
}
