import type { Mode } from '../../base/reads.ts';
import { ApiFailure } from '../api/client.ts';
import type { Progress } from '../progress.ts';
import { exitCodes } from '../usage.ts';
import type { Fit } from './fit.ts';
import type { GatewayApi } from './gateway_api.ts';
import type { Mapping } from './mapping.ts';
import type { ImportOutcome, Kind } from './outcome.ts';
import type { Obstacle } from './reasons.ts';
import { type StripeAccount, StripeRefusal } from './stripe_account.ts';

export type ImportTools = {
  stripe: StripeAccount;
  gateway: GatewayApi;
  processorAccount: string;
  mode: Mode;
  /** Otherwise nothing is changed. */
  isApplied: boolean;
  outcome: ImportOutcome;
  mapping: Mapping;
  progress: Progress;
};

/** The id here; undefined in a dry run. */
export type Imported = { id: string | undefined };

/** Creates what fits, and counts it. In a dry run nothing is created. */
export async function importOne(
  { isApplied, outcome, mapping }: ImportTools,
  kind: Kind,
  stripeId: string,
  fit: Fit,
  create: (parameters: Extract<Fit, { parameters: unknown }>['parameters']) => Promise<{ id: string; isNew?: boolean }>,
): Promise<Imported | Obstacle> {
  if (!('parameters' in fit)) return fit;
  if (isApplied)
    try {
      const { id, isNew = true } = await create(fit.parameters);
      outcome.count(kind, isNew ? 'created' : 'there');
      mapping.add(kind, stripeId, id);
      for (const note of fit.notes) outcome.note(kind, stripeId, note);
      return { id };
    } catch (error) {
      return obstacleOfRefusal(error);
    }
  outcome.count(kind, 'created');
  for (const note of fit.notes) outcome.note(kind, stripeId, note);
  return { id: undefined };
}

/** What was found here is counted. */
export function countHere({ outcome, mapping }: ImportTools, kind: Kind, stripeId: string, id: string): void {
  outcome.count(kind, 'there');
  mapping.add(kind, stripeId, id);
}

/** A refusal of the gateway is about one object. Anything else ends the run, which can be repeated. */
function obstacleOfRefusal(error: unknown): Obstacle {
  const isRefusal =
    error instanceof ApiFailure && (error.exitCode === exitCodes.refused || error.exitCode === exitCodes.declined);
  if (!isRefusal || isAboutCaller(error)) throw error;
  return { reason: 'refused', detail: error.message };
}

/** Stripe refuses a step with a subscription. Which steps were done before is for a person to see, and for the next run. */
export function warnOfRefusal(outcome: ImportOutcome, id: string, error: unknown): void {
  if (!(error instanceof StripeRefusal)) throw error;
  outcome.warn('subscriptions', id, { reason: 'refused_there', detail: error.message });
}

/** A missing scope or a revoked key concerns everything. */
function isAboutCaller({ error }: ApiFailure): boolean {
  return error?.type === 'authentication_error' || error?.type === 'permission_error';
}

/** Works on all of them, a few at the same time. The first failure ends it, once those under way have ended. */
export async function eachOf<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  let isFailed = false;
  const worker = async () => {
    for (let item = left.shift(); item !== undefined && !isFailed; item = left.shift())
      await work(item).catch((error) => {
        isFailed = true;
        throw error;
      });
  };
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
