import { resource } from '../../../operations/resource.ts';
import { searchOperations } from './operations.ts';

export const search = resource({
  name: 'search',
  about: 'Objects of every kind, by what a person knows of them.',
  place: { group: 'Developers', position: 40 },
  operations: searchOperations,
});
