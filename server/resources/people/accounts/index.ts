import { outstandingWork } from '../../../operations/extension_points/outstanding.ts';
import { resource } from '../../../operations/resource.ts';
import { accountOperations } from './operations.ts';
import { cachedSettings } from './settings.ts';
import { windDownOperations } from './wind_down.ts';

/** Accounts are managed by the operator of the installation. People see and change the one that they work in. */
export const accounts = resource({
  name: 'account',
  about: 'The settings of the account that a person works in.',
  place: { group: 'People', position: 10 },
  provides: (foundation) => ({ services: cachedSettings(foundation) }),
  operations: ({ extensionsOf }) => [...accountOperations, ...windDownOperations(extensionsOf(outstandingWork))],
});
