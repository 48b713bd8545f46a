import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import {
  Created,
  Flag,
  MaybeFlag,
  MaybeText,
  Moment,
  ObjectKind,
  Parameters,
  Shown,
  ShownOnce,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { Token } from '../sessions/schema.ts';
import { Email, EmailVerified, NewPassword, Password } from '../users/schema.ts';

const OwnPassword = Password('Your password, once more.');
const Code = Token('The six digits that the authenticator shows, or a recovery code.');

export const MeOutput = Shown('Me', 'me', 'The person who has signed in.', {
  email: Text('The email address.'),
  email_verified: EmailVerified,
  totp_enabled: Flag('Whether an authenticator is set up.'),
  recovery_codes_left: Whole('How many recovery codes have not been used.'),
  created: Created,
});

export const PasswordInput = Parameters({
  password: OwnPassword,
  new_password: NewPassword,
  code: Type.Optional(
    Token('The six digits that the authenticator shows, or a recovery code. Required if one is set up.'),
  ),
});

export const ProofInput = Parameters({ password: OwnPassword, code: Code });

export const ConfirmInput = Parameters({
  token: Token('The `token` of the enrolment.'),
  password: OwnPassword,
  code: Token('The six digits that the authenticator shows.'),
});

export const EnrolmentOutput = Type.Object(
  {
    object: ObjectKind('totp_enrolment'),
    secret: ShownOnce('The secret in base32, for authenticators that cannot read a QR code.'),
    uri: ShownOnce('The `otpauth` address that a QR code for authenticators holds.'),
    token: ShownOnce('For `token` of the confirmation. It holds the secret sealed: nothing is stored before.'),
    expires_at: Moment('When the token stops working.'),
  },
  { title: 'TotpEnrolment', description: 'An authenticator that is not set up yet.' },
);

export const RecoveryCodesOutput = Type.Object(
  {
    object: ObjectKind('recovery_codes'),
    codes: Type.Array(Type.String(), {
      confidential: 'shown',
      description: 'Ten codes, shown this once. Each works once in place of a code.',
    }),
  },
  { title: 'RecoveryCodes', description: 'A way to sign in without the authenticator.' },
);

export const OwnSessionOutput = Shown('OwnSession', 'session', 'A session of the person who has signed in.', {
  address: Text('Where it began.'),
  browser: MaybeText('The `User-Agent` of the browser.'),
  last_used: Moment('When it was last used; up to 15 seconds late.'),
  expires_at: Moment('When it ends, however much it is used.'),
  current: Flag('Whether it is the session of this request.'),
  created: Created,
});

export const ResetInput = Parameters({
  token: Token('The token of the link, which stands after the `#`.'),
  password: NewPassword,
  code: Type.Optional(Code),
});

export const ResetLinkInput = Parameters({
  clear_totp: Type.Optional(Type.Boolean({ description: 'The authenticator is lost too: it is switched off.' })),
  link: Type.Optional(Type.Boolean({ description: 'Shows the link, and sends no mail.' })),
});

export const ResetLinkOutput = Type.Object(
  {
    object: ObjectKind('reset_link'),
    email: Text('The email address of the user.'),
    mailed: MaybeFlag('Present if the link was mailed to the user, and shown to nobody.'),
    url: Type.Optional(ShownOnce('Where the user chooses a new password. It works once. Absent if it was mailed.')),
    expires_at: Moment('When it stops working.'),
  },
  { title: 'ResetLink', description: 'A way to choose a new password without the old one.' },
);
export type ResetLinkShown = Static<typeof ResetLinkOutput>;

export const ForgottenInput = Parameters({ email: Email });

export const ForgottenOutput = Type.Object(
  { object: ObjectKind('reset_request') },
  { title: 'ResetRequest', description: 'A link was asked for. It is mailed if the email has a user.' },
);

export const EmailCodeInput = Parameters({ code: Token('The code of the mail, in either case.') });

export const EmailCodeOutput = Type.Object(
  {
    object: ObjectKind('email_code'),
    email: Text('Where the code was mailed to.'),
    expires_at: Moment('When it stops working.'),
  },
  { title: 'EmailCode', description: 'A code on its way by mail.' },
);
