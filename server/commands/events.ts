import { resendEvent } from '../outbox/resend.ts';
import { tenantOf } from '../resources/accounts/tenants.ts';
import { withTransaction } from './context.ts';
import { print } from './print.ts';
import { UsageError } from './usage.ts';

type Options = { account: string; live?: boolean; endpoint?: string; json?: boolean };

export async function resend(event: string, options: Options): Promise<void> {
  if (options.endpoint === '')
    throw new UsageError('--endpoint is empty: leave it out to send to all endpoints that are enabled and subscribed');
  const endpoints = await withTransaction(async ({ client }) => {
    const tenant = await tenantOf(client, options.account, options.live ? 'live' : 'test');
    return resendEvent(client, tenant, event, options.endpoint);
  });
  if (endpoints.length === 0)
    throw new UsageError(
      `There is no event ${event} in this account and mode, or no enabled endpoint ${options.endpoint ?? 'that is subscribed to it'}`,
    );
  print(
    options.json,
    { event, webhook_endpoints: endpoints },
    () => `${event} is sent again to ${endpoints.join(', ')}`,
  );
}
