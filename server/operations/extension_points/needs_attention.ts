import type { Reads, Tenant } from '../../base/reads.ts';
import { extensionPoint } from '../resource.ts';
import type { Right } from '../role.ts';
import type { Scope } from '../scope.ts';

/** Something that waits for a person. */
export type Attention = {
  /** The object that it is about, and its kind. */
  id: string;
  object: string;
  /** What people call it, where that is not the id: the number of an invoice. */
  name?: string;
  /** Epoch seconds. */
  since: number;
  /** When it is too late, epoch seconds. */
  due_by?: number;
  amount?: number;
  currency?: string;
  /** What has happened: a sentence. */
  reason: string;
  /** What helps: a sentence. */
  action: string;
  /** The operation of the API that does it. Absent where only the operator of the gateway can help. */
  operation?: string;
};

/** What a resource knows that waits for a person. Several resources may know things of the same kind. */
export type AttentionSource = {
  kind: string;
  /** What the kind means: a sentence without its full stop. */
  about: string;
  /** What a key needs to read the objects: people need the right for it. */
  scope: Scope;
  /** The right that a person needs to resolve it, where the item names no operation, or another way than that. */
  right: Right;
  /** The operations that items name. Nothing is read for a person who has neither the right nor that of one of these. */
  operations?: readonly string[];
  /** The kinds of objects that it names. */
  objects: readonly string[];
  /** The most urgent ones, at most `limit`. The statement reads no more than that, however many rows there are. */
  find(reads: Reads, tenant: Tenant, limit: number): Promise<Attention[]>;
};

export const needsAttention = extensionPoint<AttentionSource>('needs_attention');
