import { resource } from '../../../operations/resource.ts';
import { checkoutCalls } from '../checkout_sessions/page_calls.ts';
import { sessionPages } from '../checkout_sessions/token.ts';
import { checkoutPage } from './page.ts';
import { sessionCalls } from './session_calls.ts';

/** The pages that customers pay on. */
export const checkoutPages = resource({
  name: 'checkout_pages',
  pages(services, declared) {
    const { keyring, publicUrl, clock, brandingOf } = services;
    const calls = sessionCalls({ calls: checkoutCalls(services, declared), brandingOf, clock });
    return [checkoutPage({ keyring, publicUrl, clock, calls }, sessionPages.path)];
  },
});
