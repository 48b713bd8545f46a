import type { RefusedAct } from '../../resources/people/audit_log/refused.ts';
import { type Exchange, headerOf } from '../exchange.ts';

/** What the audit log tells about a request by a person that was refused. Signing in and invitations tell it themselves: they know more. */
const recorded = new Set(['csrf_invalid', 'role_missing', 'session_invalid']);

const idCharsMax = 64;

/** Undefined for what the audit log does not tell: what keys do, and cookies that nobody ever had. */
export function refusedActOf(exchange: Exchange): RefusedAct | undefined {
  const { refusal, caller, endedSession, operation, requestId, address } = exchange;
  const errorCode = refusal?.code;
  if (errorCode === undefined || !recorded.has(errorCode) || caller?.kind === 'key') return undefined;
  const person = caller?.kind === 'person' ? caller.person : endedSession;
  if (person === undefined && errorCode === 'session_invalid') return undefined;
  return {
    action: errorCode,
    actor: person?.email ?? 'visitor',
    user: person?.user,
    ...accountOf(exchange),
    address,
    requestId,
    details: { operation: operation?.name },
  };
}

/**
 * The owners of an account see who has tried to work in it without a role. Elsewhere an account counts only if the person is a member:
 * nobody has checked the header.
 */
function accountOf(exchange: Exchange): Pick<RefusedAct, 'account' | 'isStranger'> {
  const { caller, refusal } = exchange;
  const named = headerOf(exchange, 'x-tollgate-account')?.slice(0, idCharsMax);
  const isMember = caller?.kind === 'person' && caller.person.accounts.some(({ id }) => id === named);
  if (isMember) return { account: named };
  return refusal?.code === 'role_missing' && named !== undefined ? { account: named, isStranger: true } : {};
}
