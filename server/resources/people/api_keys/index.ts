import { resource } from '../../../operations/resource.ts';
import { keyCreatedMessage, keyCreatedSample } from './key_message.ts';
import { apiKeyOperations } from './operations.ts';

/** For people and operators, and without scopes: an API key that could create keys would survive its own revocation. */
export const apiKeys = resource({
  name: 'api_keys',
  about: 'Keys by which programs call the API, and what each of them may do.',
  place: { group: 'Developers', position: 10 },
  personMails: [
    {
      kind: 'key_created',
      when: 'An API key is created, or replaces another one.',
      sample: () => keyCreatedMessage(keyCreatedSample),
    },
  ],
  operations: apiKeyOperations,
});
