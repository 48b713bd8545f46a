import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/** For `--import`: programs that import the client get its source. */
const source = pathToFileURL(`${import.meta.dirname}/../../sdk/src/index.ts`).href;

registerHooks({
  resolve: (specifier, context, next) => next(specifier === '@tollgate/node' ? source : specifier, context),
});
