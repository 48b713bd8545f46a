import type { KeyedRead, Reads, Tenant } from '../../../base/reads.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { SetupId } from './setup.ts';

/** The setup by which a cardholder has agreed to later charges, and the attempt that the processor knows it by. */
export type SetupAgreement = { id: SetupId; setup_attempt: AttemptId };

/** By an index that has the method and the status. */
const latestSetups: KeyedRead = {
  name: 'latest_setups',
  keys: ['method'],
  text: `select x.tenant, x.method, latest.id, latest.setup_attempt
           from unnest($1::int4[], $2::text[]) as x (tenant, method)
          cross join lateral (
            select id, setup_attempt from setups s
             where s.tenant = x.tenant and s.payment_method = x.method and s.status = 'succeeded' order by id desc limit 1) latest`,
};

/** The latest setup of a payment method that has succeeded. */
export function findSetupAgreement(
  reads: Reads,
  tenant: Tenant,
  paymentMethod: string,
): Promise<SetupAgreement | undefined> {
  return reads.keyed<SetupAgreement>(latestSetups, tenant, paymentMethod);
}
