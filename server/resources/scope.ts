/** What a restricted key can be allowed to do. Writing includes reading. */
export type Scope = `${string}:${'read' | 'write'}`;

/** Null is a secret key, which may do everything. */
export function allows(granted: readonly string[] | null, needed: Scope): boolean {
  if (granted === null || granted.includes(needed)) return true;
  return needed.endsWith(':read') && granted.includes(needed.replace(':read', ':write'));
}
