import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import { type Role, roles } from '../../../operations/role.ts';
import { Confidential, Created, Flag, MaybeMoment, OneOf, Personal, Shown, Text } from '../../../operations/schemas.ts';

const passwordCharsMax = 200;
const emailCharsMax = 254;

export const Email = Personal({
  maxLength: emailCharsMax,
  format: 'email',
  description: 'An email address of up to 254 characters.',
});

/** It is never compared: of a password only the hash is kept that it is checked by. */
export const Password = (description: string) =>
  Confidential({ maxLength: passwordCharsMax, compared: false, description });

export const EmailVerified = Flag(
  'Whether the operator, or a message to the address, has confirmed the email. Otherwise anybody who was invited may have typed it.',
);

export const UserOutput = Shown('User', 'user', 'Somebody who signs in to the dashboard.', {
  email: Text('The email address.'),
  email_verified: EmailVerified,
  totp_enabled: Flag('Whether an authenticator is set up.'),
  created: Created,
});

export const RoleParameter = Type.Unsafe<Role>(
  Type.String({ enum: [...roles], description: 'What the user may do in the account.' }),
);

/** A password that somebody chooses. */
export const NewPassword = Password('12 characters or more, and none of the commonest passwords.');

export const NewUserOutput = Shown('NewUser', 'user', 'Somebody who signs in to a development server.', {
  email: Text('The email address.'),
  has_password: Flag('Whether the password is the one that was sent: one that the user has chosen since is kept.'),
});
export type NewUserShown = Static<typeof NewUserOutput>;

export const VerifiedUserOutput = Shown('VerifiedUser', 'user', 'A user, and whether the email is verified.', {
  email: Text('The email address.'),
  email_verified: EmailVerified,
});
export type VerifiedUserShown = Static<typeof VerifiedUserOutput>;

export const MemberOutput = Shown('Member', 'user', 'A user as the owners of an account see it.', {
  email: Text('The email address.'),
  email_verified: EmailVerified,
  role: OneOf(roles, 'What the user may do in this account.'),
  totp_enabled: Flag('Whether an authenticator is set up.'),
  last_seen: MaybeMoment('When the user last used the dashboard. Not there for somebody who never has.'),
  created: Created,
});
export type ShownMember = Static<typeof MemberOutput>;
