import { resource } from '../../../operations/resource.ts';
import { portalSessionOperations } from './operations.ts';
import { sweepPortalSessions } from './store.ts';

export const portalSessions = resource({
  name: 'portal_sessions',
  about: 'Links by which customers sign in to the portal.',
  place: { group: 'Billing', position: 60 },
  scopes: ['portal_sessions'],
  operations: portalSessionOperations,
  maintenance: [{ name: 'portal sessions that are over', home: 'tenant', run: sweepPortalSessions }],
});
