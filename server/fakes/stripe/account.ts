import type { FakeEndpoint } from './route.ts';

/** The account that the secret key belongs to. */
export const accountEndpoints: readonly FakeEndpoint[] = [
  {
    method: 'GET',
    path: '/v1/account',
    run: ({ world, params }) => {
      params.only('expand');
      return {
        id: world.settings.account,
        object: 'account',
        business_type: null,
        capabilities: { card_payments: 'active', transfers: 'active' },
        charges_enabled: true,
        country: 'US',
        default_currency: 'usd',
        details_submitted: true,
        email: null,
        metadata: {},
        payouts_enabled: true,
        type: 'standard',
      };
    },
  },
];
