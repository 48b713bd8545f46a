import { systemClock } from '../../base/clock.ts';
import type { Mode } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';
import { readConfig } from '../../config.ts';
import type { BaseRules } from '../../connectors/api_base.ts';
import { createHttp } from '../../connectors/http.ts';
import { stripeBase } from '../../connectors/stripe/conversation.ts';
import { keyMode } from '../../connectors/stripe/wire.ts';
import { type ApiOptions, withClient } from '../api/run.ts';
import { print } from '../print.ts';
import { Progress } from '../progress.ts';
import { readSource, withQuestions } from '../secret_sources.ts';
import { UsageError } from '../usage.ts';
import { Customers } from './customers.ts';
import { GatewayApi } from './gateway_api.ts';
import { Mapping } from './mapping.ts';
import { Offers } from './offers.ts';
import { ImportOutcome } from './outcome.ts';
import { StripeAccount, type StripeAccountTools } from './stripe_account.ts';
import { TakeOver } from './take_over.ts';
import type { ImportTools } from './tools.ts';
import { undoTakeOver } from './undo.ts';

type ImportOptions = ApiOptions & {
  stripeKey: string;
  processorAccount: string;
  apply?: boolean;
  takeOver?: boolean;
  undo?: boolean;
  mapping?: string;
};

/** `tollgate import stripe`: a client of both sides, which keeps nothing: what was done is seen at both of them. */
export async function stripe(options: ImportOptions): Promise<void> {
  const { takeOver = false, undo = false, apply = false, json } = options;
  if (takeOver && undo) throw new UsageError('--take-over and --undo exclude each other: leave one out');
  if (undo && options.mapping !== undefined)
    throw new UsageError('--mapping has nothing to write with --undo: leave it out');
  const mode: Mode = options.live ? 'live' : 'test';
  const key = await withQuestions((ask) => readSource('--stripe-key', options.stripeKey, ask));
  const outcome = new ImportOutcome();
  await withClient(options, (client) => {
    const from = { key: new Secret(key), send: createHttp(), rules: baseRules(), clock: systemClock };
    return importStripe(new GatewayApi(client), from, { ...options, mode }, outcome);
  }).catch((error) => {
    warnOfBegun(outcome);
    throw error;
  });
  const report = { ok: outcome.ok, applied: apply, ...outcome.shown() };
  print(json, report, () => `${outcome.inWords(apply)}\n\n${verdict(options, outcome)}`);
  if (!outcome.ok) process.exitCode = 1;
}

/** Somebody who gives up after an error must know which subscriptions nobody will bill. */
function warnOfBegun({ begun }: ImportOutcome): void {
  if (begun.size === 0) return;
  console.error(
    `Marked to end at Stripe, and perhaps not created here: ${[...begun].join(', ')}. Run it again, which finishes them, or run --undo.`,
  );
}

/** Which addresses may be sent a key of Stripe's: those that the connector may use. */
function baseRules(): BaseRules {
  return readConfig('command').connectorSettings.stripe as BaseRules;
}

type ImportWish = Pick<ImportOptions, 'processorAccount' | 'apply' | 'takeOver' | 'undo' | 'mapping'> & { mode: Mode };

/** Moves what fits, and returns what has become of everything. */
export async function importStripe(
  gateway: GatewayApi,
  { key, ...tools }: StripeAccountTools & { key: Secret },
  wish: ImportWish,
  outcome = new ImportOutcome(),
): Promise<ImportOutcome> {
  const { mode, processorAccount } = wish;
  const keyIsFor = keyMode(key);
  if (keyIsFor === undefined) throw new UsageError('--stripe-key takes a secret or restricted key of Stripe');
  if (keyIsFor !== mode)
    throw new UsageError(`--stripe-key is a key for ${keyIsFor} mode, and the account here is in ${mode} mode`);
  const base = await baseOf(gateway, processorAccount);
  using mapping = new Mapping(wish.mapping);
  using progress = new Progress('customers and subscriptions read');
  const stripe = new StripeAccount(tools, { key, base });
  const isApplied = wish.apply === true;
  await run({ stripe, gateway, processorAccount, mode, isApplied, outcome, mapping, progress }, wish);
  return outcome;
}

/** The processor account knows where its Stripe is. */
async function baseOf(gateway: GatewayApi, id: string): Promise<string> {
  if (!/^pa_\w+$/.test(id)) throw new UsageError('--processor-account takes an id such as pa_…');
  const { connector, settings } = await gateway.get(`/processor_accounts/${id}`);
  if (connector !== 'stripe')
    throw new UsageError(`--processor-account: ${id} is an account at ${connector}, not at Stripe`);
  return settings.api_base || stripeBase;
}

async function run(tools: ImportTools, { takeOver = false, undo = false }: ImportWish): Promise<void> {
  if (undo) return undoTakeOver(tools);
  const [customers, offers] = [new Customers(tools), new Offers(tools)];
  await customers.read();
  await offers.read();
  await offers.import();
  await customers.import();
  if (takeOver) await new TakeOver(tools, customers, offers).run();
}

function verdict({ apply, takeOver, undo }: ImportOptions, { ok, counts }: ImportOutcome): string {
  if (!ok) return 'Look at what needs attention, then run it again.';
  const isAnything = Object.values(counts).some(({ created, lifted }) => created + lifted > 0);
  if (!apply && !isAnything) return undo ? 'There is nothing to give back.' : 'Everything that fits is here already.';
  if (!apply) return `Nothing was changed; --apply ${undo ? 'gives them back' : 'imports this'}.`;
  const advice = undo || takeOver ? '' : 'Subscriptions stay at Stripe: --take-over moves them. ';
  return `${advice}It can be run again at any time: nothing is done twice.`;
}
