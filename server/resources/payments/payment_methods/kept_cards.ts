import type { Write } from '../../../base/commit/index.ts';
import { idTime } from '../../../base/id.ts';
import { question } from '../../../connectors/ask.ts';
import type { Connector, Instrument, KeptCard } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { addKeptCard, findKeptCards } from './store.ts';

/** How long a processor may take to make a customer. It is a part of the time that the attempt has. */
const customerMs = 5_000;

/**
 * The customer under which a processor keeps a card number, and the row that remembers it, which is committed with the attempt: before the
 * card is sent, so that what is kept is never forgotten here. Undefined: it is not kept there. unmade: the processor has made no customer.
 */
export type Keeping = { customer: string; isNew: boolean; writes: Write[] } | 'unmade' | undefined;

type KeptNumber = {
  payment_method: string;
  /** The cardholder is not there, so that no agreement is made: nothing new is kept. */
  isAlone: boolean;
};

/** Has the processor make the customer of a card number, unless it has one. Without a card it is empty, so that it may remain unused. */
export async function keepNumber(
  { tenant, reads, connectors }: Pick<Context, 'tenant' | 'reads' | 'connectors'>,
  { payment_method, isAlone }: KeptNumber,
  { keepCard }: Connector,
  attempt: Attempt,
): Promise<Keeping> {
  const { id, processor_account, deadline_at } = attempt;
  if (keepCard === undefined || processor_account === null) return undefined;
  const stored = await findKeptCards(reads, tenant, payment_method);
  const here = stored.filter((row) => row.processor_account === processor_account);
  // Another account at the processor does not have what was made before.
  const since = (await connectors.credentialsSince(attempt)) ?? 0;
  const known = here.findLast((row) => idTime(row.attempt) >= since);
  if (known !== undefined) return { customer: known.customer, isNew: false, writes: [] };
  if (isAlone) return undefined;
  const { clock } = connectors.limits;
  const deadline = Math.min(clock.now() + customerMs, deadline_at.getTime());
  const ask = () => keepCard({ id: payment_method, deadline });
  const customer = await question({ deadlineMs: customerMs }, ask).catch(() => undefined);
  if (customer === undefined) return 'unmade';
  const isStored = here.some((row) => row.customer === customer);
  const row = { tenant, payment_method, processor_account, customer, attempt: id };
  return { customer, isNew: true, writes: isStored ? [] : [addKeptCard(row)] };
}

/** Whether a processor keeps card numbers, and has no customer for this one. */
export async function couldKeep(
  { tenant, reads }: Pick<Context, 'tenant' | 'reads'>,
  paymentMethod: string,
  { keepCard, account }: Connector,
): Promise<boolean> {
  if (keepCard === undefined) return false;
  const stored = await findKeptCards(reads, tenant, paymentMethod);
  return stored.every((row) => row.processor_account !== account);
}

/** The instrument with what the processor keeps of it. */
export function withKept(instrument: Instrument, kept: KeptCard | undefined): Instrument {
  return instrument.kind === 'card' && kept !== undefined ? { ...instrument, kept } : instrument;
}
