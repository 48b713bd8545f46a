import { RefusedCommand, withOperator } from './operator.ts';
import { print } from './print.ts';
import { MissingError, UsageError } from './usage.ts';

type Resent = { shown: object; endpoints: string[] };
type ResendOptions = { account: string; live?: boolean; endpoint?: string; json?: boolean };

export async function resend(event: string, options: ResendOptions): Promise<void> {
  if (options.endpoint === '')
    throw new UsageError('--endpoint is empty: leave it out to send to all endpoints that are enabled and subscribed');
  const { shown, endpoints } = await resent(event, options);
  if (endpoints.length === 0)
    throw new MissingError(
      `There is no event ${event} in this account and mode, or no enabled endpoint ${options.endpoint ?? 'that is subscribed to it'}`,
    );
  print(
    options.json,
    { ...shown, webhook_endpoints: endpoints },
    () => `${event} is sent again to ${endpoints.join(', ')}`,
  );
}

/** The operation returns the event; its audit entry names the endpoints. */
async function resent(id: string, { account, live, endpoint }: ResendOptions): Promise<Resent> {
  const parameters = endpoint === undefined ? {} : { webhook_endpoint: endpoint };
  const call = { account, mode: live ? 'live' : 'test', id, parameters } as const;
  try {
    const { result, audit = [] } = await withOperator((operator) => operator.outcome('events.resend', call));
    const endpoints = audit.flatMap(({ details }) => (details as { webhook_endpoints: string[] }).webhook_endpoints);
    return { shown: result as object, endpoints };
  } catch (error) {
    const isNowhere = error instanceof RefusedCommand && ['resource_missing', 'endpoint_disabled'].includes(error.code);
    if (isNowhere) return { shown: {}, endpoints: [] };
    throw error;
  }
}
