import { resource } from '../../../operations/resource.ts';
import { savedViewOperations } from './operations.ts';

export const savedViews = resource({
  name: 'saved_views',
  about: 'Pages of the dashboard with filters that a person wants to come back to.',
  place: { group: 'People', position: 90 },
  operations: savedViewOperations,
});
