import { Type } from '../../../base/schema.ts';
import { declineCodes } from '../../../connectors/contract.ts';
import { MaybeReference } from '../../../operations/references.ts';
import {
  IdParameter,
  MaybeText,
  MetadataParameter,
  MetadataShape,
  Moment,
  OneOf,
  OptionalId,
  Parameters,
  Shown,
} from '../../../operations/schemas.ts';
import { from, serializer, timeByClock } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { NextAction, nextActionOf, ReturnUrlParameter } from '../returns/schema.ts';
import { type Setup, type setupEvents, setupStatuses } from './setup.ts';

export const NewSetupInput = Parameters({
  payment_method: IdParameter('The id of the payment method to set up. It must not be detached.'),
  customer: OptionalId(
    'The id of the customer that the setup belongs to: by default the one that the payment method is attached to. A payment method that is attached to another customer is refused.',
  ),
  return_url: ReturnUrlParameter,
  metadata: Type.Optional(MetadataParameter),
});

export const SetupOutput = Shown(
  'Setup',
  'setup',
  'A payment method that is verified without a charge, and whose cardholder agrees to later charges.',
  {
    payment_method: MaybeReference(
      'payment_methods',
      'The id of the payment method that is set up. Absent while a customer has yet to choose it on a page of the processor; a setup that has succeeded has one.',
    ),
    status: OneOf(
      setupStatuses,
      [
        '`requires_action`: the cardholder must authenticate, within an hour, or choose a card on a page of the processor.',
        '`processing`: the outcome is unknown, and the processor is asked until it is known.',
        '`succeeded`: the payment method can be charged without the cardholder.',
        '`failed`: it was declined, or never reached the processor.',
        '`canceled`: it was canceled, or has expired.',
      ].join(' '),
    ),
    customer: MaybeReference('customers', 'The id of the customer that it belongs to.'),
    checkout_session: MaybeText('The id of the checkout session that it is a try of.'),
    next_action: Type.Optional(NextAction),
    failure_code: Type.Optional(OneOf(declineCodes, 'Why it failed, for programs: the code of an error.')),
    failure_decline_code: MaybeText('The reason that the bank gives, if it names one.'),
    metadata: Type.Optional(MetadataShape),
    created: Moment('When it was created, by the test clock of the customer if it has one.'),
  },
);

export const serializeSetup = serializer<Setup, typeof SetupOutput>(SetupOutput, {
  next_action: from(['status', 'next_action'], nextActionOf),
  created: timeByClock,
});

export const setupEvent = eventsAbout<keyof typeof setupEvents, Setup>(serializeSetup);
