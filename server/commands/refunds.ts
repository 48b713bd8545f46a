import { ApiError } from '../base/errors.ts';
import { catalog } from '../catalog.ts';
import { checkIdempotencyKey } from '../http/reading/idempotency_key.ts';
import { readFormValues } from '../http/reading/read_parameters.ts';
import type { Values } from '../http/reading/schema.ts';
import type { Pair } from './api/flags.ts';
import { inWords } from './api/show.ts';
import { type OperatorOutcome, RefusedCommand, withOperator } from './operator.ts';
import { print } from './print.ts';
import { MissingError } from './usage.ts';

type RefundOptions = { account: string; live?: boolean; idempotencyKey?: string; json?: boolean };

const again = 'to refund the same amount once more, give --idempotency-key and a word of your own';

/**
 * Refunds a payment of any account, of a suspended one too. A command that is repeated, because its answer was lost, does not refund
 * twice: without a key, the payment and the amount are the key.
 */
export async function create(pairs: readonly Pair[], options: RefundOptions): Promise<void> {
  const { account, live, json } = options;
  const parameters = read(pairs, options.idempotencyKey);
  const idempotencyKey = options.idempotencyKey ?? `refund ${parameters.payment} ${parameters.amount ?? 'rest'}`;
  const call = { account, mode: live ? 'live' : 'test', parameters, idempotencyKey } as const;
  const { result, isReplay } = await withOperator((operator) => operator.outcome('refunds.create', call)).catch(
    (error: unknown): OperatorOutcome => {
      if (!(error instanceof RefusedCommand)) throw error;
      if (error.code === 'resource_missing') throw missing(parameters, options);
      const isOwnKey = options.idempotencyKey === undefined;
      if (isOwnKey && error.code === 'idempotency_key_reused') throw alreadyRefunded(error, parameters);
      throw error;
    },
  );
  const refund = result as { id: string };
  print(json, refund, () => inWords(refund));
  if (isReplay) console.error(`${refund.id} was made by an earlier run, and nothing was refunded now; ${again}.`);
}

/** Reads the flags as the API would read them. */
function read(pairs: readonly Pair[], key: string | undefined): Values {
  const form = new URLSearchParams(pairs.map(({ name, value }): [string, string] => [name, value])).toString();
  try {
    if (key !== undefined) checkIdempotencyKey(key);
    return readFormValues(catalog.operation('refunds.create'), form);
  } catch (error) {
    throw error instanceof ApiError ? new RefusedCommand(error, {}) : error;
  }
}

function missing({ payment }: Values, { account, live }: RefundOptions): MissingError {
  const elsewhere = live ? 'leave --live out for test mode' : 'give --live for live mode';
  return new MissingError(`${account} has no payment ${payment} in ${live ? 'live' : 'test'} mode; ${elsewhere}`);
}

function alreadyRefunded(error: RefusedCommand, { payment, amount = 'the rest' }: Values): RefusedCommand {
  const message = `In the last 24 hours this command has refunded ${amount} of ${payment}, with another reason or other metadata. Look at its refunds; ${again}.`;
  return new RefusedCommand(new ApiError(error.code, { status: 400, type: 'idempotency_error' }, message), {});
}
