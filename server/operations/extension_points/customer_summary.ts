import type { TProperties } from 'typebox';
import type { Context } from '../operation.ts';
import { extensionPoint } from '../resource.ts';
import type { Scope } from '../scope.ts';

/**
 * Of each status, the newest objects of a customer that are added up. It bounds the reads of a summary: a customer with more gets figures
 * that say that they are not complete.
 */
export const summedMax = 10_000;

/** What a resource adds to the summary of a customer. */
export type CustomerFigures = {
  /** What a key needs to read the objects; figures about those that a caller may not read are left out. */
  scope: Scope;
  /** The members that it adds. */
  properties: TProperties;
  find(context: Context, customer: string): Promise<FoundFigures>;
};

/** `isComplete`: fewer than `summedMax` of everything were to be added up. */
export type FoundFigures = { figures: Readonly<Record<string, unknown>>; isComplete: boolean };

export const customerFigures = extensionPoint<CustomerFigures>('the summary of a customer');
