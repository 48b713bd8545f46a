import { isId } from '../../../base/id.ts';
import type { Instrument } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import type { OpenCard } from '../../../vault/index.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { apiError } from './errors.ts';

type VaultReader = Pick<Context, 'vault' | 'reads' | 'tenant'>;

export async function openCard({ vault, reads, tenant }: VaultReader, id: string): Promise<OpenCard | undefined> {
  return isId('pm', id) ? vault.open(reads, tenant, id) : undefined;
}

/** What is charged. A method whose number, or token, was destroyed is refused. */
export async function instrumentOf(
  { vault, reads, tenant }: VaultReader,
  method: PaymentMethod,
  card: OpenCard | undefined,
): Promise<Instrument> {
  const { billing: holder, exp_month: expMonth, exp_year: expYear } = method;
  if (card !== undefined) return { kind: 'card', ...card, expMonth, expYear, holder };
  const isKept = method.processor_account !== null;
  const token = isKept ? await vault.openSecret(reads, tenant, method.id) : undefined;
  if (token === undefined) {
    const reason = `its ${isKept ? 'token' : 'number'} was destroyed`;
    throw apiError('payment_method_not_usable', { param: 'payment_method', reason });
  }
  return { kind: 'token', token, customer: method.processor_customer ?? undefined, holder };
}
