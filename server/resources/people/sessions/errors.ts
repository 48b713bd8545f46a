import { apiErrorsOf, type ErrorRows, invalid, slowDown, unauthenticated } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const sessionErrors = {
  sign_in_failed: unauthenticated(
    'The email, the password or the code is wrong.',
    'The answer does not say which. After ten failures the email is locked for 15 minutes for this address. Another owner of the account can invite you again.',
  ),
  code_required: unauthenticated(
    'The password is right. Send the code of your authenticator as well, or a recovery code.',
    'This user has set up two-factor authentication. Send the same request again, with `code`.',
  ),
  sign_in_locked: slowDown(
    'Too many failed sign-ins. Try again in {minutes} minutes.',
    'Ten failures from one address, or a hundred from addresses that the user never signed in from, lock an email for 15 minutes; ten wrong codes lock the codes of a user for an hour. A right password does not open the lock.',
  ),
  sign_in_busy: slowDown(
    'Too many people are signing in at this moment. Try again in {seconds} seconds.',
    'Passwords are checked a few at a time. People who have signed in from their network before do not wait for others. Everybody else waits in a short queue, and this one is full: somebody may be guessing passwords.',
  ),
  mail_not_set_up: invalid(
    'This gateway sends no mails.',
    'Its operator has set up no mail server (`SMTP_URL`). The operator can verify an email, and make a link for a new password.',
  ),
  email_verified: invalid('Your email is verified already.', 'There is nothing left to prove.'),
  mail_limit: slowDown(
    'Too many mails were asked for. Look into your mailbox, or try again in {minutes} minutes.',
    'An email gets three links for a new password and five codes in an hour, and ten links can be asked for from one network. Emails that no user has are counted alike.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...sessionErrors });
