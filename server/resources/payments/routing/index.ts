import { resource } from '../../../operations/resource.ts';
import { usesOfProcessorAccounts } from '../processor_accounts/operations.ts';
import { isRoutedTo, routingOperations } from './operations.ts';
import { cachedRoutes, type RoutesOf } from './routes.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** The processor accounts of a tenant, and the rules by which they are chosen. */
    routes: RoutesOf;
  }
}

export const routing = resource({
  name: 'routing',
  about: 'The rules by which payments are routed to processor accounts.',
  place: { group: 'Payments', position: 90 },
  scopes: ['routing'],
  provides({ reads, clock, processorAccounts }) {
    const { routes, committed } = cachedRoutes(reads, clock, processorAccounts);
    return { services: { routes }, committed };
  },
  operations: routingOperations,
  extensions: [usesOfProcessorAccounts.with({ noun: 'routing rules', isUsed: isRoutedTo })],
});
