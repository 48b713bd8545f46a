import { resource } from '../../../operations/resource.ts';
import { usesOfProcessorAccounts } from '../processor_accounts/operations.ts';
import { isRoutedTo, routingOperations } from './operations.ts';

export const routing = resource({
  name: 'routing',
  about: 'The rules by which payments are routed to processor accounts.',
  scopes: ['routing'],
  operations: routingOperations,
  extensions: [usesOfProcessorAccounts.with({ noun: 'routing rules', isUsed: isRoutedTo })],
});
