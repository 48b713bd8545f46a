import { Type } from '../../../base/schema.ts';
import { Text } from '../../../operations/schemas.ts';

export const ReturnUrlParameter = Type.Optional(
  Type.String({
    maxLength: 2_048,
    description:
      'Where the cardholder returns to after an authentication: an https address of up to 2,048 characters, without user name and password. In test mode also http on this machine.',
  }),
);

export const NextAction = Type.Object(
  {
    type: Type.Literal('redirect_to_url', { description: 'What to do with the browser of the cardholder.' }),
    redirect_to_url: Type.Object(
      {
        url: Text('Where to send the browser. Anybody with this address can decide: give it to the cardholder alone.'),
      },
      { description: 'Where the cardholder authenticates.' },
    ),
  },
  { title: 'NextAction', description: 'What must happen next; present while the status is `requires_action`.' },
);

/** What the cardholder of a payment or a setup has to do; null: nothing. */
export function nextActionOf({ status, next_action: url }: { status: string; next_action: string | null }) {
  if (status !== 'requires_action' || url === null) return null;
  return { type: 'redirect_to_url', redirect_to_url: { url } } as const;
}
