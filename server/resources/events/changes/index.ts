import { resource } from '../../../operations/resource.ts';
import { changeOperations } from './operations.ts';
import { Changes } from './tails.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** Streams what happens in an account. */
    changes: Changes;
  }
}

export const changes = resource({
  name: 'changes',
  about: 'What happens in an account, as it happens, for pages that show it and for programs behind a firewall.',
  place: { group: 'Webhooks', position: 30 },
  provides({ reads, clock }) {
    const changes = new Changes({ reads, clock });
    return { services: { changes }, committed: (unit) => changes.committed(unit) };
  },
  operations: changeOperations,
});
