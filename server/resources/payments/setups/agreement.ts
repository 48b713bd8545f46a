import type { KeyedRead, Reads, Tenant } from '../../../base/reads.ts';
import type { AttemptId } from '../../../connectors/contract.ts';

/** By an index that has the method and the status. */
const latestSetups: KeyedRead = {
  name: 'latest_setups',
  keys: ['method'],
  text: `select x.tenant, x.method, array(
            select setup_attempt from setups s
             where s.tenant = x.tenant and s.payment_method = x.method and s.status = 'succeeded' order by id desc limit 3) as attempts
           from unnest($1::int4[], $2::text[]) as x (tenant, method)`,
};

/** The attempts of the latest setups of a payment method that have succeeded. */
export async function findSetupAgreements(reads: Reads, tenant: Tenant, paymentMethod: string): Promise<AttemptId[]> {
  return (await reads.keyed<{ attempts: AttemptId[] }>(latestSetups, tenant, paymentMethod))?.attempts ?? [];
}
