import type { RefusedAct } from '../../resources/audit_log/refused.ts';
import { type Exchange, headerOf } from '../exchange.ts';

/** What the audit log tells about a request by a person that was refused. Signing in and invitations tell it themselves: they know more. */
const recorded = new Set(['csrf_invalid', 'role_missing', 'session_invalid']);

const idCharsMax = 64;

/** Undefined for what the audit log does not tell: what keys do, and cookies that nobody ever had. */
export function refusedActOf(exchange: Exchange): RefusedAct | undefined {
  const { errorCode, caller, endedSession, operation, requestId, address } = exchange;
  if (errorCode === undefined || !recorded.has(errorCode) || caller?.kind === 'key') return undefined;
  const person = caller?.kind === 'person' ? caller.person : endedSession;
  if (person === undefined && errorCode === 'session_invalid') return undefined;
  return {
    action: errorCode,
    actor: person?.email ?? 'visitor',
    user: person?.user,
    account: accountOf(exchange),
    address,
    requestId,
    details: { operation: operation?.name },
  };
}

/** The owners of an account are told who has tried to work in it without a role. Elsewhere the header says nothing that was checked. */
function accountOf(exchange: Exchange): string | undefined {
  const { caller, errorCode } = exchange;
  const named = headerOf(exchange, 'x-tollgate-account');
  if (errorCode === 'role_missing') return named?.slice(0, idCharsMax);
  return caller?.kind === 'person' && caller.person.accounts.some(({ id }) => id === named) ? named : undefined;
}
