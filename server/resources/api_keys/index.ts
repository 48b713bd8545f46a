import { resource } from '../resource.ts';
import { apiKeyOperations } from './operations.ts';

/** For operators, and without scopes: an API key that could create keys would survive its own revocation. */
export const apiKeys = resource({ name: 'api_keys', operations: ({ scopes }) => apiKeyOperations(scopes) });
