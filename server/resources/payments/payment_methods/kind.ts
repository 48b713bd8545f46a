import type { Static, TObject } from 'typebox';
import type { Write } from '../../../base/commit/index.ts';
import type { ErrorRows } from '../../../base/errors.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Advice, DeclineCode, Instrument, InstrumentKind, TokenizedMethod } from '../../../connectors/contract.ts';
import type { MaintenanceTask } from '../../../operations/job.ts';
import type { Context, Input } from '../../../operations/operation.ts';
import type { Vault } from '../../../vault/index.ts';
import type { PaymentMethod } from './payment_method.ts';

/** The columns in which every kind stores its facts. */
export type MethodFacts = Pick<PaymentMethod, 'brand' | 'last4' | 'exp_month' | 'exp_year'>;

export type VaultReader = Pick<Context, 'vault' | 'reads' | 'tenant'>;

/** What is charged, and what is used up by the first attempt to charge it. */
export type OpenedMethod = { instrument: Instrument; uses: Write[] };

/** What is decided without asking a processor: the payment fails. */
export type LocalDecline = { code: DeclineCode; advice: Advice };

/** A kind of payment method: a folder, and a line in `kinds.ts`. */
export type MethodKind<New extends TObject = TObject, Change extends TObject = TObject> = {
  /** The value of `type`, the name of the member that has its parameters, or what is shown of it, and the kind of its instrument. */
  type: InstrumentKind;
  /** Routing rules choose by brand. A stored method tells its kind by its brand, so no two kinds have one in common. */
  brands: readonly string[];
  /** What the vault keeps of it, in one word: `number`. */
  sealed: string;
  /** The parameters of a new one. */
  input: New;
  /** What is shown of it. */
  output: TObject;
  /** The members of the output that are columns of a CSV. */
  csv: readonly string[];
  /** The errors of its parameters. */
  errors: ErrorRows;
  change?: MethodChange<Change>;
  maintenance?: readonly MaintenanceTask[];
  /** Refuses parameters that cannot be right. `now` is undefined while the time of the customer's test clock is not known yet. */
  check(input: Static<New>, now: number | undefined): void;
  /** What is stored of a new one, and the rows that seal its secrets. */
  seal(vault: Vault, tenant: Tenant, id: string, input: Static<New>): Promise<{ facts: MethodFacts; writes: Write[] }>;
  /** What is stored of one that a processor keeps; undefined: it cannot be like this. Without it, processors keep none of this kind. */
  tokenized?(kept: Omit<TokenizedMethod, 'customer'>): MethodFacts | undefined;
  /** What the vault has of it, as something to charge; undefined: it was destroyed. */
  open(reader: VaultReader, id: string): Promise<((method: PaymentMethod) => OpenedMethod) | undefined>;
  /** Why it cannot be charged any more, although it is stored. */
  decline?(method: PaymentMethod, now: number): LocalDecline | undefined;
  /** The writes of the commit that detaches it: what nothing unfinished can need. */
  discard?(vault: Vault, tenant: Tenant, id: string): Write[];
  /** The writes that destroy what the vault has of it. */
  destroy(vault: Vault, tenant: Tenant, id: string): Write[];
  serialize(method: PaymentMethod): object;
  /** What a person tells it by. */
  describe(method: PaymentMethod): { title: string; subtitle?: string };
};

/** What can be changed of a stored one. */
export type MethodChange<Change extends TObject = TObject> = {
  input: Change;
  /** The codes of its errors. */
  errors: readonly string[];
  /** Refuses a change that no stored method can have. */
  check(change: Input<Change, 'clear'> | null): void;
  apply(before: PaymentMethod, change: Input<Change, 'clear'>, now: number): MethodFacts;
};

/** The compiler checks that the functions take what the schemas describe. */
export function methodKind<New extends TObject, Change extends TObject = TObject>(
  kind: MethodKind<New, Change>,
): MethodKind {
  return kind as unknown as MethodKind;
}
