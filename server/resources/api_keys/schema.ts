import type { Static } from 'typebox';
import { Type } from '../../base/schema.ts';
import { Created, epochSeconds, MaybeMoment, Parameters, Shown } from '../shapes.ts';
import { keyKinds, keyStatuses } from './api_key.ts';

const nameMax = 200;
const scopesMax = 100;
const addressesMax = 100;
const addressCharsMax = 64;
const overlapHoursMax = 1_000_000; // longer than any key is in use

const kind = Type.Unsafe<(typeof keyKinds)[number]>(
  Type.String({ enum: [...keyKinds], description: 'A secret key may do everything, a restricted one has scopes' }),
);

export const NewKeyInput = Parameters({
  name: Type.String({ maxLength: nameMax }),
  kind,
  scopes: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: scopesMax })),
  expires_at: Type.Optional(Type.Integer({ format: epochSeconds, description: 'UTC epoch seconds' })),
  allowed_ips: Type.Optional(
    Type.Array(Type.String({ maxLength: addressCharsMax }), {
      minItems: 1,
      maxItems: addressesMax,
      description: 'Addresses and ranges that the key may be used from; from anywhere when not given',
    }),
  ),
  signature_required: Type.Optional(Type.Boolean({ description: 'Take only signed requests with a timestamp' })),
});

export const RollInput = Parameters({
  overlap_hours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: overlapHoursMax,
      description: 'How long the old key goes on working; 24 when not given',
    }),
  ),
});

const key = {
  name: Type.String(),
  mode: Type.String({ enum: ['test', 'live'] }),
  kind,
  status: Type.String({ enum: [...keyStatuses] }),
  hint: Type.String({ description: 'The last four characters of the key' }),
  scopes: Type.Optional(Type.Array(Type.String())),
  allowed_ips: Type.Optional(Type.Array(Type.String())),
  signature_required: Type.Boolean(),
  expires_at: MaybeMoment('When it stops working.'),
  revoked_at: MaybeMoment('When it was revoked.'),
  rolled_to: Type.Optional(Type.String({ description: 'The key that replaces this one' })),
  last_used: MaybeMoment('When it was last used.'),
  created: Created,
};

export const KeyOutput = Shown('ApiKey', 'api_key', 'An API key, without the key itself.', key);
export type ShownKey = Static<typeof KeyOutput>;

export const IssuedKeyOutput = Shown('IssuedApiKey', 'api_key', 'An API key that was just made.', {
  ...key,
  key: Type.String({ description: 'The key itself. It is not shown again.' }),
});
/** With the key itself. */
export type NewKeyShown = Static<typeof IssuedKeyOutput>;
