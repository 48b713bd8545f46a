import { Type } from '../../../base/schema.ts';
import { Reference } from '../../../operations/references.ts';
import {
  IdParameter,
  Moment,
  OptionalChoice,
  OptionalId,
  Parameters,
  Shown,
  ShownOnce,
} from '../../../operations/schemas.ts';
import { portalFlows } from './portal_session.ts';

export const NewPortalSessionInput = Parameters({
  customer: IdParameter('The id of the customer who gets the link.'),
  return_url: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description:
        'Where the portal leads back to: an https address of up to 2,048 characters (in test mode also http to localhost).',
    }),
  ),
  flow: OptionalChoice(
    portalFlows,
    'Where the link leads to within the portal: to the payment methods, to canceling or changing `subscription`, or to paying `invoice`.',
  ),
  subscription: OptionalId('The id of a subscription of the customer. Required for the flows about one.'),
  invoice: OptionalId('The id of an open invoice of the customer. Required for the flow `invoice_pay`.'),
});

export const PortalSessionOutput = Shown(
  'PortalSession',
  'portal_session',
  'A link by which a customer signs in to the portal once.',
  {
    customer: Reference('customers', 'The id of the customer.'),
    url: ShownOnce('The link. Send it to the customer alone: the first person to use it is signed in as the customer.'),
    expires_at: Moment('When the link can no longer be used: after five minutes.'),
  },
);

/** The hash of the cookie that the browser gets. */
export const BeginInput = Parameters({
  hash: Type.Unsafe<Buffer>(Type.Object({}, { description: 'A keyed hash of the cookie.' })),
});
