import type { OperationModel } from './model.ts';

/** The codes that every read, and every change, can be refused with. */
export type CommonCodes = { reads: string[]; changes: string[] };

export function commonCodes(operations: readonly OperationModel[]): CommonCodes {
  const codes = ({ refusals }: OperationModel) => [...refusals.values()].flat();
  const shared = (some: readonly OperationModel[]) => {
    const [first = [], ...others] = some.map(codes);
    return first.filter((code) => others.every((list) => list.includes(code)));
  };
  return {
    reads: shared(operations.filter(({ method }) => method === 'GET')),
    changes: shared(operations.filter(({ method }) => method !== 'GET')),
  };
}
