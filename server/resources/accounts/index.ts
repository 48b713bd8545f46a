import { resource } from '../resource.ts';
import { accountOperations } from './operations.ts';

export const accounts = resource({ name: 'accounts', operations: accountOperations });
