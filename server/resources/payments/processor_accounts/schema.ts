import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import type { Capabilities } from '../../../connectors/contract.ts';
import {
  ConfidentialObject,
  Created,
  Flag,
  MaybeMoment,
  OneOf,
  Parameters,
  Shown,
  ShownDeleted,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { noticePath, type ProcessorAccount } from './processor_account.ts';

const members = {
  name: Type.String({ maxLength: 200, description: 'What you call the account, up to 200 characters.' }),
  credentials: Type.Optional(
    ConfidentialObject(
      'What the processor has given you, by the names that the connector defines. Never shown again. An update merges them member by member; null or an empty string removes one.',
    ),
  ),
  settings: Type.Optional(
    Type.Unsafe<Record<string, unknown>>(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Texts and flags, by the names that the connector defines. An update merges them member by member; null or an empty string removes one.',
        },
      ),
    ),
  ),
  enabled: Type.Optional(
    Type.Boolean({
      description:
        'Whether it takes new payments; `true` when not given. Everything about earlier payments goes on in a disabled account.',
    }),
  ),
};

export const NewProcessorAccountInput = Parameters({
  connector: Type.String({
    maxLength: 40,
    description: 'The name of the connector that speaks to the processor, such as `stripe`.',
  }),
  ...members,
});

export const ProcessorAccountInput = Parameters({ ...members, name: Type.Optional(members.name) });

const CapabilitiesOutput = Type.Object(
  {
    currencies: Type.Optional(
      Type.Array(Type.String(), { description: 'The currencies that it takes; absent when it takes all.' }),
    ),
    partial_capture: Flag('Whether less than the authorized amount can be captured.'),
    authorization_days: Whole('How many days an authorization holds the money.'),
    challenge: Flag('Whether it can ask the cardholder to authenticate.'),
    tokens: Flag('Whether it takes payment methods that it keeps itself.'),
    raw_cards: Flag('Whether it takes card numbers.'),
    setup: Flag('Whether it can set up a payment method without a charge.'),
    page: Type.Optional(
      Type.Object(
        {
          min_minutes: Whole('The shortest time that a page can live, in minutes.'),
          max_minutes: Whole('The longest time that a page can live, in minutes.'),
        },
        { description: 'Present if the processor has a page that customers pay on.' },
      ),
    ),
    fields: Type.Optional(
      Type.Object(
        {
          script: Text('The address of the script that draws them.'),
          hosts: Type.Array(
            Type.Object({
              origin: Text('An origin that the browser may use.'),
              use: OneOf(['script', 'frame', 'connect', 'image'], 'What it may be used for.'),
              reason: Text('What it is needed for.'),
            }),
            { description: 'Every origin that the script needs.' },
          ),
        },
        { description: 'Present if the processor has fields for a page of the gateway.' },
      ),
    ),
  },
  { title: 'ProcessorCapabilities', description: 'What the processor can do with this account.' },
);

export const ProcessorAccountOutput = Shown('ProcessorAccount', 'processor_account', 'An account at a processor.', {
  connector: Text('The name of the connector that speaks to the processor.'),
  name: Text('What you call the account.'),
  enabled: Flag('Whether it takes new payments.'),
  settings: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()]), {
    description: 'Texts and flags, by the names that the connector defines.',
  }),
  capabilities: CapabilitiesOutput,
  webhook_url: Text('Where the processor is to send its notices.'),
  created: Created,
  last_verified: MaybeMoment('When the credentials were last seen to work.'),
});
export type ShownProcessorAccount = Static<typeof ProcessorAccountOutput>;

const serializeCapabilities = serializer<Capabilities, typeof CapabilitiesOutput>(CapabilitiesOutput, {
  partial_capture: 'partialCapture',
  authorization_days: 'authorizationDays',
  raw_cards: 'rawCards',
  page: from(['page'], ({ page }) => page && { min_minutes: page.minMinutes, max_minutes: page.maxMinutes }),
  fields: from(['fields'], ({ fields }) => fields && { script: fields.script, hosts: [...fields.hosts] }),
});

type DescribedAccount = ProcessorAccount & { capabilities: Capabilities; publicUrl: string };

const serialize = serializer<DescribedAccount, typeof ProcessorAccountOutput>(ProcessorAccountOutput, {
  capabilities: from(['capabilities'], ({ capabilities }) => serializeCapabilities(capabilities)),
  webhook_url: from(['id', 'publicUrl'], ({ id, publicUrl }) => `${publicUrl}${noticePath(id)}`),
  created: timeInId,
  last_verified: 'last_verified_at',
});

export function serializeProcessorAccount(row: ProcessorAccount, capabilities: Capabilities, publicUrl: string) {
  return serialize({ ...row, capabilities, publicUrl });
}

export const DeletedProcessorAccountOutput = ShownDeleted('DeletedProcessorAccount', 'processor_account');

export const VerificationOutput = Type.Object(
  {
    ok: Flag('Whether the processor accepts the credentials.'),
    message: Text('What the processor said, in one sentence.'),
  },
  { title: 'ProcessorVerification' },
);
export type ShownVerification = Static<typeof VerificationOutput>;
