import type { Mode } from '../../../base/reads.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import { permits, type Role } from '../../../operations/role.ts';
import { allows, type Scope } from '../../../operations/scope.ts';

/**
 * A scope that lets a key do what a role does not permit, in this mode; undefined when there is none. It follows from the operations: each
 * says which scope a key needs and which right a person needs. Null is a secret key, which has all scopes. What no key may do in live mode
 * does not count there.
 */
export function scopeBeyond(
  operations: readonly AnyOperation[],
  scopes: readonly string[] | null,
  role: Role,
  mode: Mode,
): Scope | undefined {
  const isBeyond = ({ callers, operatorInLive, scope, right }: AnyOperation) =>
    callers.includes('key') &&
    !(mode === 'live' && operatorInLive !== undefined) &&
    allows(scopes, scope) &&
    !permits(role, mode, right);
  return operations.find(isBeyond)?.scope;
}
