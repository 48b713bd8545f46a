import { resource } from '../resource.ts';
import { accountOperations } from './operations.ts';

/** Accounts are managed by the operator of the installation. */
export const accounts = resource({ name: 'accounts', operations: accountOperations });
