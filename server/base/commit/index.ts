export { type CommitObserver, Committer, type Verdict } from './committer.ts';
export { claim, insert, remove, type Table, table, type Unit, update, type Versioned, type Write } from './unit.ts';
