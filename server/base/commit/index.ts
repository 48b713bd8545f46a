export { applyWrites, GuardFailed } from './apply.ts';
export { type CommitObserver, Committer, type CommitterOptions, type Verdict } from './committer.ts';
export {
  claim,
  type Derived,
  discard,
  insert,
  remove,
  save,
  type Table,
  table,
  type Unit,
  update,
  type Versioned,
  type Write,
} from './unit.ts';
