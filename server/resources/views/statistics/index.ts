import { resource } from '../../../operations/resource.ts';
import { statisticsOperations } from './operations.ts';

export const statistics = resource({
  name: 'statistics',
  about: 'How many payments, refunds and disputes there were, and how much they came to.',
  place: { group: 'People', position: 80 },
  operations: statisticsOperations,
});
