import { resource } from '../../../operations/resource.ts';
import { portalSettingsOperations } from './operations.ts';
import { type PortalSettingsOf, portalSettingsReader } from './store.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** As they are stored now: what was switched off is refused from the next request on. */
    portalSettingsOf: PortalSettingsOf;
  }
}

export const portalSettings = resource({
  name: 'portal_settings',
  about: 'What customers may do by themselves in the portal.',
  place: { group: 'Billing', position: 65 },
  provides: ({ reads }) => ({ services: { portalSettingsOf: portalSettingsReader(reads) } }),
  operations: portalSettingsOperations,
});
