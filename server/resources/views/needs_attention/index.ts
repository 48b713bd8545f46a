import { resource } from '../../../operations/resource.ts';
import { needsAttentionMessage, needsAttentionSample } from './attention_message.ts';
import { attentionErrors } from './mail_choice.ts';
import { attentionMails } from './mails.ts';
import { attentionOperations } from './operations.ts';

export const attention = resource({
  name: 'needs_attention',
  about: 'What waits for a person, with the one thing that helps.',
  place: { group: 'People', position: 70 },
  errors: attentionErrors,
  personMails: [
    {
      kind: 'needs_attention',
      when: 'Something new waits for a person who has chosen mails about that.',
      sample: () => needsAttentionMessage(needsAttentionSample),
    },
  ],
  operations: attentionOperations,
  jobs: (services, declared) => [attentionMails(services, declared)],
});
