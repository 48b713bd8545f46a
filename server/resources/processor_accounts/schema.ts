import type { Static } from 'typebox';
import { Type } from '../../base/schema.ts';
import { ConfidentialObject, Parameters, Shown, Timestamp } from '../shapes.ts';

const members = {
  name: Type.String({ maxLength: 200, description: 'What you call the account' }),
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
    Type.Boolean({ description: 'A disabled account takes no new payments; everything else goes on' }),
  ),
};

export const NewProcessorAccountInput = Parameters({
  connector: Type.String({ maxLength: 40, description: 'The processor, such as stripe' }),
  ...members,
});

export const ProcessorAccountInput = Parameters({ ...members, name: Type.Optional(members.name) });

export const ProcessorAccountOutput = Shown('ProcessorAccount', 'processor_account', {
  connector: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  settings: Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean()])),
  capabilities: Type.Object({
    currencies: Type.Optional(Type.Array(Type.String())),
    partial_capture: Type.Boolean(),
    authorization_days: Type.Integer(),
    challenge: Type.Boolean(),
    tokens: Type.Boolean(),
    raw_cards: Type.Boolean(),
  }),
  webhook_url: Type.String(),
  created: Timestamp,
  last_verified: Type.Optional(Timestamp),
});
export type ShownProcessorAccount = Static<typeof ProcessorAccountOutput>;

export const DeletedProcessorAccountOutput = Shown('DeletedProcessorAccount', 'processor_account', {
  deleted: Type.Literal(true),
});

export const VerificationOutput = Type.Object({ ok: Type.Boolean(), message: Type.String() });
export type ShownVerification = Static<typeof VerificationOutput>;
