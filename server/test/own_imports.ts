import { isBuiltin, registerHooks } from 'node:module';

/**
 * Imports of our own files and of Node's modules need no search. Vitest would also report each of them to its main process, where only
 * its watch mode uses them: that took 0.8 s of processor time in every worker, and pg requires `net` anew for each connection.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    if (isBuiltin(specifier))
      return { url: `node:${specifier.replace('node:', '')}`, format: 'builtin', shortCircuit: true };
    const isOwn = /^\.\.?\/.*\.ts$/.test(specifier) && !parentURL.includes('/node_modules/');
    return isOwn ? { url: new URL(specifier, parentURL).href, shortCircuit: true } : next(specifier, context);
  },
});
