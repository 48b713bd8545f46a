import { resource } from '../../../operations/resource.ts';
import { meOperations } from './operations.ts';
import { resetOperations } from './reset.ts';

export const me = resource({
  name: 'me',
  about: 'The person who has signed in: the password, the authenticator and the sessions. Nobody else can change them.',
  place: { group: 'People', position: 50 },
  operations: [...meOperations, ...resetOperations],
});
