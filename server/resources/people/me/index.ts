import { resource } from '../../../operations/resource.ts';
import { emailCodeOperations } from './email_code.ts';
import { forgotten, mailResetLinks } from './forgotten.ts';
import { meOperations } from './operations.ts';
import { resetOperations } from './reset.ts';
import { sweepEmailCodes } from './store.ts';

export const me = resource({
  name: 'me',
  about: 'The person who has signed in: the password, the authenticator and the sessions. Nobody else can change them.',
  place: { group: 'People', position: 50 },
  operations: [...meOperations, ...emailCodeOperations, ...resetOperations, forgotten],
  jobs: (services) => [mailResetLinks(services)],
  maintenance: [{ name: 'codes that were mailed', run: sweepEmailCodes }],
});
