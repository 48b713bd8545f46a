import { resource } from '../../../operations/resource.ts';
import { noteOperations } from './operations.ts';

export const notes = resource({
  name: 'notes',
  about: 'What your people write down about customers, payments, disputes and subscriptions, for each other.',
  place: { group: 'Developers', position: 90 },
  scopes: ['notes'],
  operations: noteOperations,
});
