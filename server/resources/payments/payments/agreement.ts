import { idTime } from '../../../base/id.ts';
import type { KeyedRead, Reads, Tenant } from '../../../base/reads.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { attemptsTable } from '../attempts/store.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { findSetupAgreement } from '../setups/agreement.ts';
import type { SetupId } from '../setups/setup.ts';
import type { Payment } from './payment.ts';

/** What the cardholder has agreed by to charges without being there. */
export type Agreement = {
  /** The setup, where one made it. */
  setup: SetupId | null;
  /** The attempt of that setup, or of the payment, which the processor and the card network know. */
  attempt: Attempt | undefined;
  /** Whether the cardholder was there, then or for a payment before. False: the method was charged without them alone. */
  isByCardholder: boolean;
};

type LatestCharge = Pick<Payment, 'id' | 'setup'> & { authorization_attempt: AttemptId; is_by_cardholder: boolean };

/** The latest payment that succeeded with a method, among the last hundred of its customer, and whether the cardholder was there for any. */
const latestCharges: KeyedRead = {
  name: 'latest_charges',
  keys: ['customer', 'method'],
  text: `select x.tenant, x.customer, x.method, latest.id, latest.setup, latest.authorization_attempt,
                latest.is_by_cardholder
           from unnest($1::int4[], $2::text[], $3::text[]) as x (tenant, customer, method)
          cross join lateral (
            select authorization_attempt, setup, id, bool_or(off_session is not true or setup is not null) over () as is_by_cardholder from (
              select payment_method, authorization_attempt, setup, off_session, id from payments p
               where p.tenant = x.tenant and p.customer = x.customer and status = 'succeeded' order by id desc limit 100) recent
             where payment_method = x.method order by id desc limit 1) latest`,
};

/**
 * The agreement that a charge without the cardholder carries: by the latest setup of the method, or by the latest payment of its customer
 * with it, whichever is newer. A charge that a setup allowed is no agreement of its own.
 */
export async function findAgreement(
  reads: Reads,
  tenant: Tenant,
  { id, customer }: Pick<PaymentMethod, 'id' | 'customer'>,
): Promise<Agreement | undefined> {
  const [charge, setup] = await Promise.all([
    customer === null ? undefined : reads.keyed<LatestCharge>(latestCharges, tenant, customer, id),
    findSetupAgreement(reads, tenant, id),
  ]);
  if (setup !== undefined && (charge === undefined || charge.setup !== null || idTime(setup.id) > idTime(charge.id)))
    return {
      setup: setup.id,
      attempt: await reads.one(attemptsTable, tenant, setup.setup_attempt),
      isByCardholder: true,
    };
  if (charge === undefined) return undefined;
  const { is_by_cardholder: isByCardholder, authorization_attempt } = charge;
  return {
    setup: charge.setup,
    attempt: await reads.one(attemptsTable, tenant, authorization_attempt),
    isByCardholder,
  };
}
