import type { Write } from '../../../base/commit/index.ts';
import type { Context } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';

/** A kind of object that notes can be written on. */
export type Notable = {
  /** How its ids begin, and its name in words. */
  prefix: string;
  noun: string;
  /**
   * The customer whom an object is about, and what is committed with a note on it, so that the note is not written while the customer is
   * deleted. Throws the refusal of an object that does not exist, with this parameter.
   */
  find(context: Context, id: string, param: string): Promise<{ customer: string | null; writes: Write[] }>;
};

export const notables = extensionPoint<Notable>('objects that notes are written on');
