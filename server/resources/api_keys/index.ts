import { resource } from '../resource.ts';
import { apiKeyOperations } from './operations.ts';

/** No scopes: no API key can be allowed to manage keys. */
export const apiKeys = resource({ name: 'api_keys', operations: ({ scopes }) => apiKeyOperations(scopes) });
