import type { KeyedRead, Reads, Tenant } from '../../../base/reads.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { isFrom } from '../attempts/inquire.ts';
import { requireAttempt } from '../attempts/store.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { findSetupAgreements } from '../setups/agreement.ts';

/** The attempts by which a cardholder has agreed to charges without being there, newest first: of setups, and of payments. */
export type Agreements = {
  attempts: readonly Attempt[];
  /** False: there is none with the cardholder, and the latest charge of the merchant takes its place. */
  isByCardholder: boolean;
};

type LatestCharges = { by_cardholder: AttemptId[] | null; latest: AttemptId | null };

/** The latest payments that succeeded with a method, among the last hundred of its customer. */
const latestCharges: KeyedRead = {
  name: 'latest_charges',
  keys: ['customer', 'method'],
  text: `select x.tenant, x.customer, x.method, charges.by_cardholder, charges.latest
           from unnest($1::int4[], $2::text[], $3::text[]) as x (tenant, customer, method)
          cross join lateral (
            select (array_agg(authorization_attempt order by id desc) filter (where off_session is not true))[:3] as by_cardholder,
                   (array_agg(authorization_attempt order by id desc))[1] as latest from (
              select payment_method, authorization_attempt, off_session, id from payments p
               where p.tenant = x.tenant and p.customer = x.customer and status = 'succeeded' order by id desc limit 100) recent
             where payment_method = x.method) charges`,
};

/** The agreements that a charge without the cardholder can carry. */
export async function findAgreements(
  reads: Reads,
  tenant: Tenant,
  { id, customer }: Pick<PaymentMethod, 'id' | 'customer'>,
): Promise<Agreements> {
  const [charges, setups] = await Promise.all([
    customer === null ? undefined : reads.keyed<LatestCharges>(latestCharges, tenant, customer, id),
    findSetupAgreements(reads, tenant, id),
  ]);
  const agreed = [...(charges?.by_cardholder ?? []), ...setups].sort().reverse();
  const isByCardholder = agreed.length > 0;
  const ids = isByCardholder || !charges?.latest ? agreed : [charges.latest];
  return { attempts: await Promise.all(ids.map((each) => requireAttempt({ reads, tenant }, each))), isByCardholder };
}

/**
 * The agreement to name to a processor account: the newest one. An account that has not made that one can know it by the id of the card
 * network alone, which not every processor tells, so that it gets the newest one that has such an id.
 */
export function agreementFor(asked: Attempt, attempts: readonly Attempt[]): Attempt | undefined {
  const [newest] = attempts;
  if (newest === undefined || isFrom(newest, asked)) return newest;
  return attempts.find(({ network_transaction_id }) => network_transaction_id !== null) ?? newest;
}
