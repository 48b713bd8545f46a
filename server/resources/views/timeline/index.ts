import { resource } from '../../../operations/resource.ts';
import { timelineOperations } from './operations.ts';

export const timeline = resource({
  name: 'timeline',
  about: 'What happened to an object, in one order: requests, attempts, postings, events, deliveries and who did it.',
  place: { group: 'Developers', position: 30 },
  operations: timelineOperations,
});
