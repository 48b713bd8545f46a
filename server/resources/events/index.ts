import { resource } from '../resource.ts';
import { eventOperations } from './operations.ts';

export const events = resource({
  name: 'events',
  scopes: ['events'],
  operations: ({ eventTypes }) => eventOperations(eventTypes),
});
