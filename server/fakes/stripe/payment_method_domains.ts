import { invalid } from './errors.ts';
import { listOf, listParams } from './lists.ts';
import { type FakeCall, type FakeEndpoint, retrieval } from './route.ts';
import type { FakePaymentMethodDomain } from './shapes.ts';

const path = '/v1/payment_method_domains';

/** The domains where wallets may be shown. */
export const paymentMethodDomainEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams.filter((name) => name !== 'created'), 'domain_name', 'enabled');
      const [domain, enabled] = [params.text('domain_name'), params.flag('enabled')];
      const fits = (one: FakePaymentMethodDomain) =>
        (domain === undefined || one.domain_name === domain) && (enabled === undefined || one.enabled === enabled);
      return listOf(path, params, world.all<FakePaymentMethodDomain>('payment_method_domain'), fits);
    },
  },
  retrieval<FakePaymentMethodDomain>('payment_method_domain', path),
];

/** A domain that is registered already is answered with what there is. */
function create({ world, params }: FakeCall): object {
  params.only('domain_name', 'enabled', 'expand');
  const domain_name = params.needed('domain_name');
  if (!/^([a-z0-9-]+\.)+[a-z]{2,}$/.test(domain_name))
    throw invalid('The domain name is invalid.', { param: 'domain_name' });
  const enabled = params.flag('enabled') ?? true;
  const known = world
    .all<FakePaymentMethodDomain>('payment_method_domain')
    .find((one) => one.domain_name === domain_name);
  if (known !== undefined) return known;
  const active = () => ({ status: 'active' });
  return world.add<FakePaymentMethodDomain>({
    id: world.newId('pmd'),
    object: 'payment_method_domain',
    amazon_pay: active(),
    apple_pay: active(),
    google_pay: active(),
    klarna: active(),
    link: active(),
    paypal: active(),
    created: world.seconds(),
    domain_name,
    enabled,
    livemode: world.settings.livemode,
  });
}
