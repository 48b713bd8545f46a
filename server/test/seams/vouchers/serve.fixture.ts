import { registerHooks } from 'node:module';

const kinds = import.meta.resolve('../../../resources/payments/payment_methods/kinds.ts');
const kindsWithVouchers = import.meta.resolve('./kinds.ts');

// Schemas and operations are made from the kinds when they are loaded, so the line has to be there before anything else is.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url === kinds ? { ...found, url: kindsWithVouchers } : found;
  },
});

/** `tollgate serve` with the vouchers and their processor. */
const { serve } = await import('../serving.ts');
const { office } = await import('./office.ts');
await serve({ processor: office });
