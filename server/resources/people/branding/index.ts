import { Documents } from '../../../documents/index.ts';
import { resource } from '../../../operations/resource.ts';
import { logoPage } from './logo_page.ts';
import { brandingOperations } from './operations.ts';
import { cachedBranding } from './shown.ts';

export const branding = resource({
  name: 'branding',
  about: 'How the account shows itself to those who pay it.',
  place: { group: 'People', position: 15 },
  provides(foundation) {
    const documents = new Documents();
    return { services: { ...cachedBranding(foundation), documents }, close: () => documents.close() };
  },
  operations: brandingOperations,
  pages: (services) => [logoPage(services)],
});
