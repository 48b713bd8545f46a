import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const webhookEndpointErrors = {
  endpoint_url_not_allowed: invalid(
    'Webhooks cannot be sent to this URL: {reason}.',
    'An endpoint needs an address that this server may send to: https in live mode, without user name or password, and not inside a private network unless the operator of this installation has allowed that range.',
  ),
  endpoint_exists: invalid(
    'The webhook endpoint {endpoint} has the same URL and the same events. Use that one, or update it.',
    'A second one would receive every event twice. Use the endpoint that the message names; an update can enable it, or subscribe it to other events.',
  ),
  endpoint_limit_reached: invalid(
    'An account can have {max} {what} in each mode. Delete one, or use one for more events.',
    'There can be 50 webhook endpoints, of which 10 are inboxes. Disabled endpoints count too. One endpoint can be subscribed to everything, and its program can pass each event on.',
  ),
  endpoint_disabled: invalid(
    'The webhook endpoint {endpoint} is disabled. Enable it first: set its status to enabled.',
    'Nothing is sent to a disabled endpoint. It was disabled by an update, by its own answer 410, or after five days of failures alone. Once it is enabled, `recover` sends the events that it missed.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...webhookEndpointErrors });
