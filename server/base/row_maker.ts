import { getOrMake } from './get_or_make.ts';

type RowMaker = (cells: unknown[]) => Record<string, unknown>;

/** By the texts of the statements. Only prepared ones are here, whose number is bounded. */
const makers = new Map<string, RowMaker>();

/**
 * The function that makes the rows of a statement. It is an object literal, written here as code: V8 then makes a row in one step, and
 * knows the layout of every row wherever it is read. The driver sets members one by one, which was a tenth of the time of a list.
 */
export function rowMaker(text: string, fields: readonly { name: string }[]): RowMaker {
  return getOrMake(makers, text, () => {
    const members = fields.map(({ name }, at) => `${JSON.stringify(name)}: cells[${at}]`);
    return new Function('cells', `return { ${members.join(', ')} }`) as RowMaker;
  });
}
