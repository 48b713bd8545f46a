import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/dashboard/',
  // Each style element needs the nonce of its page, which the gateway puts in place of the mark.
  html: { cspNonce: '%NONCE%' },
  resolve: { alias: { '@tollgate/node': join(import.meta.dirname, '..', 'sdk', 'src', 'index.ts') } },
  // Nothing inline: the policy of the page refuses data addresses.
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
});
