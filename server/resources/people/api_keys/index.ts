import { resource } from '../../../operations/resource.ts';
import { apiKeyOperations } from './operations.ts';

/** For people and operators, and without scopes: an API key that could create keys would survive its own revocation. */
export const apiKeys = resource({
  name: 'api_keys',
  about: 'Keys by which programs call the API, and what each of them may do.',
  place: { group: 'Developers', position: 10 },
  operations: apiKeyOperations,
});
