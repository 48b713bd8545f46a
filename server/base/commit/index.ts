export { arrayLiteral } from './array_literal.ts';
export { type CommitObserver, Committer } from './committer.ts';
export { rowSource } from './row_source.ts';
export {
  type ColumnType,
  claim,
  type Derived,
  discard,
  insert,
  remove,
  rowName,
  save,
  type Table,
  table,
  type Unit,
  unitSize,
  update,
  type Versioned,
  type Write,
} from './unit.ts';
