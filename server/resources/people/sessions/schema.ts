import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { roles } from '../../../operations/role.ts';
import {
  Confidential,
  MaybeFlag,
  Moment,
  ObjectKind,
  OneOf,
  Parameters,
  Shown,
  ShownOnce,
  Text,
} from '../../../operations/schemas.ts';
import { Email, Password, UserOutput } from '../users/schema.ts';

const tokenCharsMax = 100;
const accountCharsMax = 64;
export const Token = (description: string) => Confidential({ maxLength: tokenCharsMax, compared: false, description });

export const SignInInput = Parameters({
  email: Type.Optional(Email),
  password: Type.Optional(Password('The password.')),
  code: Type.Optional(Token('The six digits that the authenticator shows, or a recovery code.')),
  account: Type.Optional(
    Type.String({
      maxLength: accountCharsMax,
      description:
        'The id of an account. If several users have this email and this password, the one with a role in it signs in.',
    }),
  ),
  link: Type.Optional(Token('The token of a sign-in link, in place of email and password.')),
});

const MemberAccountShape = Type.Object(
  {
    id: Text('The id of the account, for the header `X-Tollgate-Account`.'),
    name: Text('Its name.'),
    status: OneOf(['active', 'suspended'], 'Requests for a suspended account are refused.'),
    role: OneOf(roles, 'What the user may do in it.'),
    totp_required: MaybeFlag('Present if a user without an authenticator can do nothing in it but set one up.'),
  },
  { title: 'MemberAccount', description: 'An account that a user works in.' },
);

export const SessionOutput = Shown('Session', 'session', 'A person who has signed in.', {
  user: UserOutput,
  accounts: Type.Array(MemberAccountShape, { description: 'The accounts that the user works in.' }),
  csrf_token: ShownOnce('For the header `X-Tollgate-CSRF` of every POST and DELETE.'),
  expires_at: Moment('When the session ends, however much it is used.'),
});

export const EndedOutput = Type.Object(
  { object: ObjectKind('sessions_ended'), count: Type.Integer({ description: 'How many sessions have ended.' }) },
  { title: 'SessionsEnded', description: 'Sessions that have ended.' },
);

export const LinkOutput = Type.Object(
  {
    object: ObjectKind('sign_in_link'),
    token: ShownOnce('For `link` of a sign-in. It works once.'),
    expires_at: Moment('When it stops working.'),
  },
  { title: 'SignInLink', description: 'A way to sign in once without a password.' },
);
export type SignInLinkShown = Static<typeof LinkOutput>;
