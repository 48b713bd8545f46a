import type { Write } from '../../../base/commit/index.ts';
import { idTime } from '../../../base/id.ts';
import { question } from '../../../connectors/ask.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Services } from '../../../operations/services.ts';
import { isOverdue } from '../attempts/subject.ts';
import type { PaymentMethod } from './payment_method.ts';
import { findKeptCards, removeKeptCard } from './store.ts';

type ForgetServices = Pick<Services, 'reads' | 'connectors' | 'processorAccounts' | 'clock' | 'log'>;
type Forgotten = Pick<PaymentMethod, 'processor_customer' | 'forget_since' | 'left_since' | 'due_at'>;

/** A customer at a processor that a detached method has, and since when. */
type CustomerThere = { processor_account: ProcessorAccountId | null; customer: string; since: number };
/** Undefined: there was no answer, or a refusal. */
type Forgetting = 'forgotten' | 'not_ours' | undefined;

const minuteMs = 60_000;
const pauseMaxMs = 6 * 60 * minuteMs;

/**
 * Has processors delete the customers that were made for a detached method: that of its token, and those for its number. What is not ours
 * to delete stays on a list. Without an answer they are asked again, with pauses that grow with the time so far; after three days a person
 * should know.
 */
export async function forgetAtProcessors(
  services: ForgetServices,
  method: PaymentMethod,
): Promise<{ forgotten: Forgotten; writes: Write[] }> {
  const { tenant, id, processor_account, processor_customer } = method;
  const kept = await findKeptCards(services.reads, tenant, id);
  const [ofToken, ...ofNumber] = await Promise.all([
    processor_customer === null
      ? ('forgotten' as const)
      : forget(services, method, { processor_account, customer: processor_customer, since: idTime(id) }),
    ...kept.map((row) => forget(services, method, { ...row, since: idTime(row.attempt) })),
  ]);
  const gone = kept.filter((_, at) => ofNumber[at] === 'forgotten');
  const rest = afterwards(method, [ofToken, ...ofNumber], services.clock.now());
  const forgotten = { ...rest, processor_customer: ofToken === 'forgotten' ? null : processor_customer };
  return { forgotten, writes: gone.map(removeKeptCard) };
}

/** When they are asked again, and since when something is left. */
function afterwards(
  { forget_since, left_since }: PaymentMethod,
  answers: readonly Forgetting[],
  now: number,
): Omit<Forgotten, 'processor_customer'> {
  const isUnanswered = answers.includes(undefined);
  const since = forget_since ?? new Date(now);
  const isLeft = answers.includes('not_ours') || (isUnanswered && isOverdue(since, now));
  const left = isLeft ? (left_since ?? new Date(now)) : null;
  if (!isUnanswered) return { forget_since: null, left_since: left, due_at: null };
  const pause = Math.min(Math.max(now - since.getTime(), minuteMs), pauseMaxMs);
  return { forget_since: since, left_since: left, due_at: new Date(now + pause) };
}

function forget(services: ForgetServices, method: PaymentMethod, there: CustomerThere): Promise<Forgetting> {
  return askToForget(services, method, there).catch((error: unknown) => {
    services.log.debug({ payment_method: method.id, error: String(error) }, 'a processor has not deleted a customer');
    return undefined;
  });
}

async function askToForget(
  services: ForgetServices,
  { tenant, id }: PaymentMethod,
  { processor_account, customer, since: made }: CustomerThere,
) {
  const { connectors, processorAccounts } = services;
  const account = processor_account && (await processorAccounts.find(tenant, processor_account));
  if (!account) throw new Error(`there is no processor account ${processor_account}`);
  const of = { tenant, connector: account.connector, processor_account: account.id };
  const connector = await connectors.of(of);
  if (connector.forget === undefined) return 'not_ours';
  const since = await connectors.credentialsSince(of);
  // Another account at the processor would say that there is no such customer.
  if (since !== undefined && made < since) throw new Error('the credentials are newer than the customer');
  return question(connectors.limits, async () => connector.forget!({ customer, id }));
}
