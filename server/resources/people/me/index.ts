import { resource } from '../../../operations/resource.ts';
import { emailCodeOperations } from './email_code.ts';
import { emailCodeMessage, emailCodeSample } from './email_code_message.ts';
import { forgotten, mailResetLinks } from './forgotten.ts';
import { meOperations } from './operations.ts';
import { resetOperations } from './reset.ts';
import { passwordResetMessage, passwordResetSample } from './reset_message.ts';
import { sweepEmailCodes } from './store.ts';

export const me = resource({
  name: 'me',
  about: 'The person who has signed in: the password, the authenticator and the sessions. Nobody else can change them.',
  place: { group: 'People', position: 50 },
  personMails: [
    {
      kind: 'password_reset',
      when: 'Somebody has forgotten their password, or the operator has made a link by which a user chooses a new one.',
      sample: () => passwordResetMessage(passwordResetSample),
    },
    { kind: 'email_code', when: 'A user verifies their email.', sample: () => emailCodeMessage(emailCodeSample) },
  ],
  operations: [...meOperations, ...emailCodeOperations, ...resetOperations, forgotten],
  jobs: (services) => [mailResetLinks(services)],
  maintenance: [{ name: 'codes that were mailed', home: 'directory', run: sweepEmailCodes }],
});
