import { resource } from '../../../operations/resource.ts';
import { userErrors } from './errors.ts';
import { userOperations } from './operations.ts';

export const users = resource({
  name: 'users',
  about: 'Somebody who signs in to the dashboard, with a role in each account.',
  place: { group: 'People', position: 20 },
  errors: userErrors,
  operations: userOperations,
});
