export { arrayLiteral } from './array_literal.ts';
export { type CommitObserver, type Commits, Committer, type CommitterOptions } from './committer.ts';
export { rowSource } from './row_source.ts';
export {
  type AnyUnit,
  type AnyWrite,
  type ColumnType,
  claim,
  type Derived,
  type DirectoryUnit,
  type DirectoryWrite,
  discard,
  type Home,
  insert,
  remove,
  rowName,
  save,
  type Table,
  type TenantUnit,
  table,
  type Unit,
  unitSize,
  update,
  type Versioned,
  type Write,
} from './unit.ts';
