import { resource } from '../../../operations/resource.ts';
import { mailCodes } from './jobs.ts';
import { PortalCodeLimit } from './limit.ts';
import { portalCodeOperations } from './operations.ts';
import { shownCodes } from './shown.ts';
import { sweepCodeCounts, sweepCodes } from './store.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    portalCodeLimit: PortalCodeLimit;
  }
}

/** Signing in to the portal without a link. */
export const portalCodes = resource({
  name: 'portal_codes',
  provides: ({ relaxed, keyring }) => ({
    services: { portalCodeLimit: new PortalCodeLimit(relaxed.directory, keyring) },
  }),
  about: 'The codes by which customers sign in to the portal, on a gateway for development without a mail server.',
  place: { group: 'Billing', position: 66 },
  operations: [...portalCodeOperations, shownCodes],
  jobs: (services) => [mailCodes(services)],
  maintenance: [
    { name: 'portal codes that are over', home: 'tenant', run: sweepCodes },
    { name: 'counts of portal codes', home: 'directory', run: sweepCodeCounts },
  ],
});
