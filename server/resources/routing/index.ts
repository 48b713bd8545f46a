import { resource } from '../resource.ts';
import { routingOperations } from './operations.ts';

export const routing = resource({ name: 'routing', scopes: ['routing'], operations: routingOperations });
