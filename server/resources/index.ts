import { customerOperations } from './customers/operations.ts';
import { eventOperations } from './events/operations.ts';
import type { AnyOperation } from './operation.ts';

/** Everything the API does. A new resource is one folder, one migration and one line here. */
export const operations: readonly AnyOperation[] = [...customerOperations, ...eventOperations];
