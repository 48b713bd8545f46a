import type { FakeEndpoint } from './route.ts';
import type { FakeWebhooks } from './webhooks.ts';
import { randomText } from './world.ts';

/** An address is registered as at Stripe. The secret is in this answer alone. */
export function webhookEndpoints(webhooks: FakeWebhooks): readonly FakeEndpoint[] {
  return [
    {
      method: 'POST',
      path: '/v1/webhook_endpoints',
      run: ({ params }) => {
        params.only('url', 'enabled_events', 'expand');
        const secret = `whsec_${randomText(32)}`;
        const events = params.has('enabled_events') ? params.list('enabled_events') : ['*'];
        return { ...webhooks.register(params.needed('url'), events, secret), secret };
      },
    },
  ];
}
