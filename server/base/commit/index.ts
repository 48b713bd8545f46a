export { applyWrites, GuardFailed } from './apply.ts';
export { type CommitObserver, Committer, type Verdict } from './committer.ts';
export {
  claim,
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
