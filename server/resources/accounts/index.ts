import { resource } from '../resource.ts';
import { accountOperations } from './operations.ts';

/** Accounts are managed by the operator of the installation. People see and change the one that they work in. */
export const accounts = resource({
  name: 'account',
  about: 'The settings of the account that a person works in.',
  operations: accountOperations,
});
