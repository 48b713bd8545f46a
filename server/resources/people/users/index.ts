import type { Tenant } from '../../../base/reads.ts';
import { resource } from '../../../operations/resource.ts';
import { userErrors } from './errors.ts';
import { userOperations } from './operations.ts';
import { findOwnerEmails, hasMemberIn } from './store.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** Whether somebody with this email has a role in the account of a tenant. */
    isMember: (tenant: Tenant, email: string) => Promise<boolean>;
    /** The emails of the owners of an account: of the first hundred, where there are more. */
    emailsOfOwners: (account: string) => Promise<string[]>;
  }
}

export const users = resource({
  name: 'users',
  about: 'Somebody who signs in to the dashboard, with a role in each account.',
  place: { group: 'People', position: 20 },
  errors: userErrors,
  provides: ({ reads }) => ({
    services: {
      isMember: (tenant, email) => hasMemberIn(reads, tenant, email),
      emailsOfOwners: (account) => findOwnerEmails(reads, account),
    },
  }),
  operations: userOperations,
});
