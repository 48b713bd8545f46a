import type { Static } from 'typebox';
import type { Mode } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import {
  Created,
  epochSeconds,
  Flag,
  inAnyOrder,
  MaybeMoment,
  MaybeText,
  Moment,
  OneOf,
  Parameters,
  Shown,
  ShownOnce,
  Text,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { type ApiKey, keyKinds, keyStatuses, kindOf, type ScopeUse, statusOf } from './api_key.ts';

const nameMax = 200;
const scopesMax = 100;
const addressesMax = 100;
const addressCharsMax = 64;
const overlapHoursMax = 1_000_000; // longer than any key is in use

const kind = Type.Unsafe<(typeof keyKinds)[number]>(
  Type.String({ enum: [...keyKinds], description: 'A secret key may do everything, a restricted one has scopes.' }),
);

const name = Type.String({ maxLength: nameMax, description: 'A name, such as the program that uses the key.' });

const ScopesParameter = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { ...inAnyOrder, minItems: 1, maxItems: scopesMax, description }));

export const NewKeyInput = Parameters({
  name,
  kind,
  scopes: ScopesParameter('What a restricted key may do. A secret key has none.'),
  expires_at: Type.Optional(
    Type.Integer({
      format: epochSeconds,
      description: 'When it stops working, in UTC epoch seconds; never when not given.',
    }),
  ),
  allowed_ips: Type.Optional(
    Type.Array(Type.String({ maxLength: addressCharsMax }), {
      ...inAnyOrder,
      minItems: 1,
      maxItems: addressesMax,
      description: 'Addresses and ranges that the key may be used from; from anywhere when not given.',
    }),
  ),
  signature_required: Type.Optional(Type.Boolean({ description: 'Accept only signed requests with a timestamp.' })),
});

export const KeyInput = Parameters({
  name: Type.Optional(name),
  scopes: ScopesParameter('What a restricted key may do from now on: some of what it could do before.'),
});

export const RollInput = Parameters({
  overlap_hours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: overlapHoursMax,
      description: 'How long the old key goes on working; 24 when not given.',
    }),
  ),
  scopes: ScopesParameter(
    'What the new key may do: some of what the old one could. A secret key is followed by a restricted one then. All of it when not given.',
  ),
});

const Scopes = (description: string) =>
  Type.Array(Type.String({ description: 'A scope, such as `payments:read`.' }), { description });

const key = {
  name: Text('Its name.'),
  mode: OneOf(['test', 'live'], 'The mode that it works in.'),
  kind,
  status: OneOf(keyStatuses, 'An `active` key works. One that was rolled is active until its overlap is over.'),
  hint: Text('The last four characters of the key.'),
  scopes: Type.Optional(Scopes('What a restricted key may do.')),
  allowed_ips: Type.Optional(
    Type.Array(Text('An address or a range.'), {
      description: 'Where it may be used from; present if that is limited.',
    }),
  ),
  signature_required: Flag('Whether it takes only signed requests with a timestamp.'),
  expires_at: MaybeMoment('When it stops working.'),
  revoked_at: MaybeMoment('When it was revoked, or will be at the end of an overlap.'),
  rolled_to: MaybeText('The id of the key that replaces it.'),
  last_used: MaybeMoment('When it was last used, exact to a minute.'),
  used_scopes: Scopes(
    'The scopes that its requests have needed since `used_scopes_since`. A read needs the read scope.',
  ),
  used_scopes_since: Moment('The time that `used_scopes` begins with: 30 days ago, or as far back as it is known.'),
  created: Created,
};

export const KeyOutput = Shown('ApiKey', 'api_key', 'An API key, without the key itself.', key);
export type ShownKey = Static<typeof KeyOutput>;

type KeyInUse = ApiKey & {
  last_used?: Date | null;
  mode: Mode;
  status: string;
  used_scopes: readonly string[];
  used_scopes_since: Date;
};

const serialize = serializer<KeyInUse, typeof KeyOutput>(KeyOutput, {
  kind: from(['scopes'], kindOf),
  created: timeInId,
});

export function serializeKey(key: ApiKey & { last_used?: Date | null }, mode: Mode, now: number, use: ScopeUse) {
  const used = { used_scopes: use.scopes, used_scopes_since: new Date(use.since) };
  return serialize({ ...key, mode, status: statusOf(key, now), ...used });
}

export const IssuedKeyOutput = Shown('IssuedApiKey', 'api_key', 'An API key that was just made.', {
  ...key,
  key: ShownOnce('The key itself. It is not shown again.'),
});
/** With the key itself. */
export type NewKeyShown = Static<typeof IssuedKeyOutput>;
