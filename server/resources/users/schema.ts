import { Confidential, Created, Flag, Personal, Shown, Text } from '../shapes.ts';

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

export const UserOutput = Shown('User', 'user', 'Somebody who signs in to the dashboard.', {
  email: Text('The email address.'),
  totp_enabled: Flag('Whether an authenticator is set up.'),
  created: Created,
});
