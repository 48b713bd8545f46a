import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/dashboard/',
  // Each style element needs the nonce of its page, which the gateway puts in place of the mark.
  html: { cspNonce: '%NONCE%' },
  resolve: { alias: { '@tollgate/node': join(import.meta.dirname, '..', 'sdk', 'src', 'index.ts') } },
  // Nothing inline: the policy of the page refuses data addresses.
  build: {
    // Browsers of 2024 and newer: they know light-dark() in styles.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
