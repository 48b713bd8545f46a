import { resource } from '../../../operations/resource.ts';
import { PortalCalls } from './calls.ts';
import { portalPage } from './page.ts';

/** The pages on which customers help themselves. */
export const portal = resource({
  name: 'portal',
  pages: (services, declared) => [portalPage({ ...services, calls: new PortalCalls(services, declared) })],
});
