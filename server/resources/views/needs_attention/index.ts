import { resource } from '../../../operations/resource.ts';
import { attentionOperations } from './operations.ts';

export const attention = resource({
  name: 'needs_attention',
  about: 'What waits for a person, with the one thing that helps.',
  place: { group: 'People', position: 70 },
  operations: attentionOperations,
});
