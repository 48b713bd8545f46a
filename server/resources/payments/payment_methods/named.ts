import type { Write } from '../../../base/commit/index.ts';
import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { InquiryOutcome, ProcessorAccountId, ShownMethod, Traces } from '../../../connectors/contract.ts';
import type { Services } from '../../../operations/services.ts';
import { eventWrites, happenedAt } from '../../../outbox/event.ts';
import type { CustomerId } from '../customers/customer.ts';
import { findCustomerById } from '../customers/operations.ts';
import type { TestClockId } from '../test_clocks/test_clock.ts';
import type { MethodFacts } from './kind.ts';
import { kinds } from './kinds.ts';
import { methodEvent } from './operations.ts';
import { notAToken, nothingToForget, type PaymentMethod, type PaymentMethodId } from './payment_method.ts';
import { addPaymentMethod } from './store.ts';

/**
 * A method that is known only once the processor has named it: the cardholder has chosen it on a page, or in the fields, of the processor.
 * It is stored in the commit of the first answer that decides.
 */
export type NamedMethod = {
  id: PaymentMethodId;
  facts: MethodFacts;
  kept: Traces['kept'];
  /** The customer that the caller makes in the same commit, because a method is kept for a customer. */
  newCustomer: CustomerId | undefined;
};

/** The row that a method is named for: a payment, or a setup. */
type NamedFor = {
  tenant: Tenant;
  id: Id<'py'> | Id<'set'>;
  customer: CustomerId | null;
  payment_method: PaymentMethodId | null;
  test_clock: TestClockId | null;
};

/** What the columns have where the processor does not tell it: an expiry that no clock reaches. */
const untold: ShownMethod = { brand: 'unknown', last4: '0000', expMonth: 12, expYear: 9_999 };

/**
 * The method by an answer that decides; undefined if it is known already, or if nothing was approved and the processor does not name it.
 * Its id follows from what it is named for, so that the same answer always names the same method.
 */
export function methodNamedBy(row: NamedFor, outcome: InquiryOutcome, isApproved: boolean): NamedMethod | undefined {
  if (row.payment_method !== null) return undefined;
  const { kept, method } = tracesOf(outcome);
  if (!isApproved && method === undefined) return undefined;
  const body = row.id.slice(row.id.indexOf('_'));
  const isKept = isApproved && kept !== undefined;
  return {
    id: `pm${body}` as PaymentMethodId,
    facts: factsOf(kept?.card ?? { ...untold, ...withoutUndefined(method ?? {}) }),
    kept: isKept ? kept : undefined,
    newCustomer: isKept && row.customer === null ? (`cus${body}` as CustomerId) : undefined,
  };
}

function tracesOf(outcome: InquiryOutcome): Pick<Traces, 'kept' | 'method'> {
  return outcome.kind === 'approved' || outcome.kind === 'declined' ? outcome : {};
}

function withoutUndefined(shown: object): object {
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

/** What a processor says is stored and shown, so it has to be like a payment method. */
function factsOf(shown: ShownMethod): MethodFacts {
  const read = (one: ShownMethod) => kinds.map((kind) => kind.tokenized?.(one)).find((facts) => facts !== undefined);
  return read(shown) ?? read(untold)!;
}

/** What a payment keeps of it; the digits only where the processor has told them. */
export function namedFacts({ facts: { brand, last4 } }: NamedMethod): { brand: string; last4: string | null } {
  return { brand, last4: last4 === untold.last4 ? null : last4 };
}

/**
 * The rows of a method, and the event. One that was not kept is detached from the start, like one whose token was destroyed: it is shown,
 * and can never be charged.
 */
export async function namedMethodWrites(
  { reads, vault }: Pick<Services, 'reads' | 'vault'>,
  row: NamedFor,
  named: NamedMethod,
  account: ProcessorAccountId | null,
  { now, time }: { now: number; time: number | undefined },
): Promise<Write[]> {
  const { tenant } = row;
  const { id, facts, kept, newCustomer } = named;
  const common = { tenant, id, version: 1, ...facts, billing: {}, metadata: null, ...nothingToForget };
  if (kept === undefined || account === null) {
    const unkept = { customer: null, detached: true, detached_from: null, test_clock: null, ...notAToken };
    return [addPaymentMethod({ ...common, ...unkept })];
  }
  const owner = newCustomer ?? (row.customer && (await findCustomerById({ reads, tenant }, row.customer))?.id) ?? null;
  const token = { processor_account: account, processor_customer: kept.customer, token_attempt: null };
  const place = { customer: owner, detached: owner === null, detached_from: null };
  // The customer was deleted meanwhile: the processor is asked to forget it, as after a detach.
  const due_at = owner === null ? new Date(now) : null;
  const test_clock = owner === null ? null : row.test_clock;
  const method: PaymentMethod = { ...common, ...place, ...token, test_clock, due_at };
  const events = owner === null ? [] : [methodEvent('payment_method.attached', method)];
  return [
    addPaymentMethod(method),
    await vault.sealSecret(tenant, id, kept.token),
    ...eventWrites(tenant, null, now, happenedAt(time, events)),
  ];
}
