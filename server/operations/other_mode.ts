import type { ApiError } from '../base/errors.ts';
import type { Mode, Reads } from '../base/reads.ts';
import { type Caller, mayRead } from './caller.ts';
import type { Scope } from './scope.ts';
import { tenantInOtherMode } from './tenants.ts';

const otherMode: Record<Mode, Mode> = { test: 'live', live: 'test' };

/**
 * The refusal of an object that the caller's own account has in the other mode, with a message that says so: a live key with a test id is
 * the commonest reason of a 404. Any other refusal stays as it is. Asked when the 404 is certain, so that a failure here changes nothing.
 */
export async function namingOtherMode(error: ApiError, caller: Caller, reads: Reads): Promise<ApiError> {
  const { missing } = error;
  if (missing === undefined || !mayRead(caller, missing.scope as Scope)) return error;
  const { mode, tenant } = caller;
  try {
    const other = await tenantInOtherMode(reads, tenant);
    if (other === undefined || !(await missing.isIn(other))) return error;
  } catch {
    return error;
  }
  return error.saying(`No such ${missing.noun} in ${mode} mode; it exists in ${otherMode[mode]} mode.`);
}
