import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { chunkOf } from './chunks.ts';

const root = join(import.meta.dirname, '..');

/** The static page has the colours and the type of all others before any style is loaded. */
const staticLook: Plugin = {
  name: 'static-look',
  transformIndexHtml: {
    order: 'pre',
    handler(html) {
      const look = readFileSync(join(root, 'server/base/look/look.css'), 'utf8');
      return html.replace('/* LOOK */', () => look.slice(look.indexOf(':where(:root)')));
    },
  },
};

/** The font is asked for together with the styles, not after them. */
const earlyFont: Plugin = {
  name: 'early-font',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {} }) {
      const fonts = Object.keys(bundle).filter((name) => name.endsWith('.woff2'));
      const preload = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true };
      return fonts.map((name) => ({
        tag: 'link',
        attrs: { ...preload, href: `/dashboard/${name}` },
        injectTo: 'head',
      }));
    },
  },
};

export default defineConfig({
  base: '/dashboard/',
  // Each style element needs the nonce of its page, which the gateway puts in place of the mark.
  html: { cspNonce: '%NONCE%' },
  plugins: [staticLook, earlyFont],
  resolve: { alias: { '@tollgate/node': join(root, 'sdk', 'src', 'index.ts') } },
  // Nothing inline: the policy of the page refuses data addresses.
  build: {
    // Browsers of 2024 and newer: they know light-dark() in styles.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf, debugName: 'chunks.ts' }] },
      },
    },
  },
});
