import { resource } from '../../../operations/resource.ts';
import { changeOperations } from './operations.ts';

export const changes = resource({
  name: 'changes',
  about: 'What happens in an account, as it happens, for pages that show it.',
  operations: changeOperations,
});
