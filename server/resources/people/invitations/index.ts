import { resource } from '../../../operations/resource.ts';
import { acceptOperations } from './accept.ts';
import { invitationErrors } from './errors.ts';
import { invitationMessage, invitationSample } from './invitation_message.ts';
import { invitationOperations } from './operations.ts';
import { sweepInvitations } from './store.ts';

export const invitations = resource({
  name: 'invitations',
  about: 'How somebody gets a role in an account: a link that works once, for 7 days.',
  place: { group: 'People', position: 30 },
  errors: invitationErrors,
  personMails: [
    {
      kind: 'invitation',
      when: 'Somebody is invited to an account.',
      sample: () => invitationMessage(invitationSample),
    },
  ],
  operations: [...invitationOperations, ...acceptOperations],
  maintenance: [{ name: 'invitations that were not accepted', home: 'directory', run: sweepInvitations }],
});
