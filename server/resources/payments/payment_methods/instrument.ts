import { isId } from '../../../base/id.ts';
import { kindOf } from './by_kind.ts';
import { apiError } from './errors.ts';
import type { LocalDecline, MethodKind, OpenedMethod, VaultReader } from './kind.ts';
import { kinds } from './kinds.ts';
import type { PaymentMethod } from './payment_method.ts';

type Opened = Awaited<ReturnType<MethodKind['open']>>;

/** What the vault has of a method of the most common kind: it is read before the kind of the method is known, to save a round trip. */
export async function openEarly(reader: VaultReader, id: string): Promise<Opened> {
  return isId('pm', id) ? kinds[0].open(reader, id) : undefined;
}

/** What is charged. A method whose secret, or token, was destroyed is refused. */
export async function instrumentOf(reader: VaultReader, method: PaymentMethod, early: Opened): Promise<OpenedMethod> {
  if (method.processor_account !== null) return tokenOf(reader, method);
  const kind = kindOf(method);
  const opened = kind === kinds[0] ? early : await kind.open(reader, method.id);
  if (opened === undefined) throw destroyed(kind.sealed);
  return opened(method);
}

async function tokenOf({ vault, reads, tenant }: VaultReader, method: PaymentMethod): Promise<OpenedMethod> {
  const token = await vault.openSecret(reads, tenant, method.id);
  if (token === undefined) throw destroyed('token');
  const customer = method.processor_customer ?? undefined;
  return { instrument: { kind: 'token', token, customer, holder: method.billing }, uses: [] };
}

function destroyed(secret: string) {
  return apiError('payment_method_not_usable', { param: 'payment_method', reason: `its ${secret} was destroyed` });
}

/** Why a method fails without asking a processor. The processor knows the expiry of what it keeps, and may have renewed it. */
export function declineOf(method: PaymentMethod, now: number): LocalDecline | undefined {
  return method.processor_account === null ? kindOf(method).decline?.(method, now) : undefined;
}
