import type { Unit } from '../base/commit/index.ts';
import { DatabaseClock } from '../base/database_clock.ts';
import { ApiError, assert } from '../base/errors.ts';
import { newId } from '../base/id.ts';
import { silentLog } from '../base/log.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import type { Mode, Tenant } from '../base/reads.ts';
import { catalog, servedTo } from '../catalog.ts';
import { checkParameters } from '../http/reading/parameters.ts';
import type { Values } from '../http/reading/schema.ts';
import type { KeyedCall } from '../http/running/idempotency.ts';
import { mailSender } from '../mail/sender.ts';
import { type Caller, installation } from '../operations/caller.ts';
import { Executor, type ExecutorServices, type Once } from '../operations/executor.ts';
import type { AnyOperation, ClockTime, Outcome } from '../operations/operation.ts';
import { tenantOf } from '../operations/tenants.ts';
import { executorHooks } from '../resources/hooks.ts';
import type { TestClockId } from '../resources/payments/test_clocks/test_clock.ts';
import { clockTime } from '../resources/payments/test_clocks/time.ts';
import { Vault } from '../vault/index.ts';
import { type CommandContext, connectorsOf, publicUrlOf, withConnection } from './context.ts';
import { OperatorOnce } from './operator_once.ts';
import { type CommandDatabase, openCommandPools } from './pools.ts';
import { print } from './print.ts';
import { exitCodes, inFlags, UsageError } from './usage.ts';

/** The arguments of an operation. */
export type OperatorCall = {
  /** The account and the mode. Without an account the operation concerns the whole installation. */
  account?: string;
  mode?: Mode;
  /** The object in the path. */
  id?: string;
  parameters?: Values;
  /** The test clock that the object lives by: an advance of it, which stands still while the account is suspended, is not waited for. */
  testClock?: string | undefined;
  /** With it the call takes effect once, however often it is made within 24 hours. */
  idempotencyKey?: string | undefined;
  /** Parameter → option, where the option is not simply `--the-parameter`. Of an object it stands for all its members. */
  options?: Readonly<Record<string, string>>;
};

/** An outcome; or that of an earlier call with the same idempotency key. */
export type OperatorOutcome = Outcome & { isReplay?: true };

type OperatorServices = ExecutorServices & { durable: SqlAt };

/** The refusal of an operation, in terms of the command line. */
export class RefusedCommand extends UsageError {
  readonly code: string;
  readonly exitCode = exitCodes.refused;

  constructor(error: ApiError, call: OperatorCall) {
    super(sentenceOf(error, call));
    this.code = error.code;
  }
}

const operations = new Map(servedTo('operator', catalog).map((operation) => [operation.name, operation]));
const pageLimit = 100;

/** Without an idempotency key there is never an earlier outcome. */
const unkeyed: Once<OperatorOutcome> = { claim: () => [], finish: () => [], stored: async () => undefined };

/** Runs operations for the operator of the installation, as a request runs them for a key. */
export class Operator {
  readonly #services: OperatorServices;
  readonly #executor: Executor;
  readonly #name: string;

  /** `name` is the operator's name in the audit log. */
  constructor(services: OperatorServices, name: string) {
    this.#services = services;
    this.#executor = new Executor(services, executorHooks(catalog));
    this.#name = name;
  }

  async run<Result>(name: string, call: OperatorCall = {}): Promise<Result> {
    return (await this.outcome(name, call)).result as Result;
  }

  async outcome(name: string, call: OperatorCall): Promise<OperatorOutcome> {
    const operation = operations.get(name);
    assert(operation, `${name} is not an operation for operators`);
    try {
      return await this.#execute(operation, call);
    } catch (error) {
      throw error instanceof ApiError ? new RefusedCommand(error, call) : error;
    }
  }

  /** Everything in a list, oldest first. */
  async all<Item extends { id: string }>(name: string, call: OperatorCall = {}): Promise<Item[]> {
    const items: Item[] = [];
    for (let hasMore = true; hasMore; ) {
      const after = items.length === 0 ? {} : { starting_after: items.at(-1)!.id };
      const parameters = { limit: pageLimit, ...after };
      const page = await this.run<{ data: Item[]; has_more: boolean }>(name, { ...call, parameters });
      items.push(...page.data);
      hasMore = page.has_more;
    }
    return items.reverse();
  }

  async #execute(
    operation: AnyOperation,
    { account, mode = 'test', id = '', parameters: given = {}, testClock, idempotencyKey }: OperatorCall,
  ): Promise<OperatorOutcome> {
    const facts = { now: this.#services.clock.now(), mode };
    const parameters = checkParameters(operation, given, facts);
    const caller = await this.#callerFor(account, mode);
    const clock = await this.#clockOf(caller.tenant, testClock);
    const call = { operation, caller, id, parameters, requestId: null, clock };
    if (operation.method === 'GET') return (await this.#executor.read(call)) as Outcome;
    const once = idempotencyKey === undefined ? unkeyed : this.#onceFor(call, idempotencyKey);
    const stored = await once.stored();
    if (stored !== undefined && !('unfinished' in stored)) return stored;
    const outcome = await this.#executor.change<OperatorOutcome>(call, once);
    if (outcome.error !== undefined) throw outcome.error;
    return outcome;
  }

  #onceFor(call: Omit<KeyedCall, 'requestId'>, key: string): Once<OperatorOutcome> {
    // It marks the rows of this call, so that a commit whose reply was lost is recognized.
    const requestId = newId('req', this.#services.clock.now());
    return OperatorOnce.of(this.#services, { ...call, requestId }, key);
  }

  async #clockOf(tenant: Tenant, testClock: string | undefined): Promise<ClockTime | undefined> {
    if (testClock === undefined) return undefined;
    const { reads, clock } = this.#services;
    const id = testClock as TestClockId;
    return { id, now: (await clockTime({ reads }, { tenant, test_clock: id })) ?? clock.now() };
  }

  async #callerFor(account: string | undefined, mode: Mode): Promise<Caller> {
    const tenant =
      account === undefined ? installation : await tenantOf(this.#services.durable.directory, account, mode);
    return { kind: 'operator', tenant, mode, account: account ?? null, name: this.#name };
  }
}

/** `The parameter name is invalid: it must …` becomes `--name must …`. A problem with the object in the path names its id. */
function sentenceOf({ message, param }: ApiError, { id, options = {} }: OperatorCall): string {
  if (param === undefined) return message;
  const option = param === 'id' ? (id ?? '') : optionOf(param, options);
  return inFlags(message, param, option);
}

function optionOf(param: string, options: Readonly<Record<string, string>>): string {
  const [object, member] = param.split('.') as [string, string?];
  if (member !== undefined && options[object] !== undefined) return `${options[object]} ${member}`;
  return options[param] ?? `--${param.replaceAll('_', '-')}`;
}

/** Opens the services of operations on the command's database, for as long as the work takes. */
export function withOperator<T>(work: (operator: Operator, context: CommandContext) => Promise<T>): Promise<T> {
  return withConnection(async (context) => {
    const { services, close } = await openServices(context);
    try {
      return await work(new Operator(services, context.actor.name), context);
    } finally {
      await close();
    }
  });
}

/** What was given on the command line. Every option but these is a parameter of the operation. */
type OperationOptions = { account?: string; live?: boolean; json?: boolean | undefined; [parameter: string]: unknown };

/** How a command of an operation differs from others. */
type OperationCommand<Result> = {
  /** The result for people. `isChanged` is false if it was so before. */
  text: (result: Result, isChanged: boolean) => string;
  /** In place of the refusal of an id that does not exist. */
  missing?: (id: string) => Error;
  /** What the command does after the operation, before it prints the result. */
  after?: (context: CommandContext, id: string) => Promise<void>;
};

/** A command that runs an operation and prints its result. An argument is the id, and the options are the parameters. */
export function operationCommand<Result extends object>(
  name: string,
  { text, missing, after }: OperationCommand<Result>,
): (...given: [options: OperationOptions] | [id: string, options: OperationOptions]) => Promise<void> {
  return async (...given) => {
    const [options, id = ''] = given.toReversed() as [OperationOptions, string?];
    const { account, live, json, ...rest } = options;
    const parameters = Object.fromEntries(Object.entries(rest).map(([option, value]) => [parameterOf(option), value]));
    const call = { ...(account !== undefined && { account }), mode: live ? 'live' : 'test', id, parameters } as const;
    const { result, audit = [] } = await withOperator(async (operator, context) => {
      const outcome = await operator.outcome(name, call).catch((error: unknown) => {
        const isMissing = error instanceof RefusedCommand && error.code === 'resource_missing';
        throw isMissing && missing !== undefined ? missing(id) : error;
      });
      await after?.(context, id);
      return outcome;
    });
    print(json, result, () => text(result as Result, audit.length > 0));
  };
}

/** `rate_limit` of `rateLimit`, as Commander names the option `--rate-limit`. */
function parameterOf(option: string): string {
  return option.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type ServicesContext = Pick<CommandContext, 'config' | 'keyring' | 'masters'> & CommandDatabase;

/** No worker runs in a command: running servers find due rows by polling. */
export async function openServices({ address, isCluster = false, config, keyring, masters }: ServicesContext) {
  /** Complete before anything is committed. */
  let provided: ReturnType<typeof catalog.provide>;
  const committerOptions = { extend: (unit: Unit) => provided.beforeCommit(unit), derived: catalog.derived };
  const pools = await openCommandPools({ address, isCluster }, { connectionsMax: 2, committer: committerOptions });
  const { reads, durable, committer } = pools;
  const clock = new DatabaseClock(pools.directory);
  await clock.start();
  const vault = new Vault({ masters, keyring, durable, clock });
  const count = { auditDropped: () => {}, noticeUnmatched: () => {} };
  // Mails are queued: the server that sends them knows whether it can.
  const mail = mailSender(config.mail, { isDevelopment: true });
  const given = { clock, log: silentLog, keyring, reads, relaxed: durable, vault, mail, count };
  provided = catalog.provide({ ...given, directoryGraceMs: 0 });
  const services: OperatorServices = {
    clock,
    keyring,
    reads,
    durable,
    committer,
    vault,
    mail,
    ...provided.services,
    connectors: connectorsOf(config, pools, clock, provided.services.processorAccounts),
    publicUrl: () => publicUrlOf(config),
    ownCardFields: config.ownCardFields,
    targets: { check: async () => 'commands do not send webhooks' },
    onDue: () => {},
  };
  const close = async () => {
    clock.stop();
    await provided.close();
    await pools.close();
  };
  return { services, close };
}
