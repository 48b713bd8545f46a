import { card } from './card/index.ts';
import type { MethodKind } from './kind.ts';

/**
 * Every kind of payment method, the most common one first: what the vault has of it is read together with the method, before its kind is
 * known. A new kind is one folder and one line here.
 */
export const kinds: readonly [MethodKind, ...MethodKind[]] = [card];
