import type { Clock } from '../../base/clock.ts';
import { FakeBooks, randomText } from '../books.ts';
import type { FakeBehaviour, FakeTestCard } from './cards.ts';
import type { FormFields } from './form.ts';
import type { FakeEvent, FakeMetadata, FakeMethodDetails, FakeObject } from './shapes.ts';

export type FakeSettings = {
  clock: Clock;
  account: string;
  livemode: boolean;
  /** Whether the account may send card numbers with its secret key. Stripe allows it by agreement only. */
  rawCards: boolean;
  /** How long an intent stays invisible to a search. */
  searchLagMs: number;
  /** How long a pending refund, a payment in processing, or the verdict on a dispute takes. */
  decisionMs: number;
  /** Requests beyond it are refused with 429. */
  requestsPerSecond: number;
};

export type FakeEffect = {
  kind:
    | 'authorization'
    | 'charge'
    | 'capture'
    | 'release'
    | 'refund'
    | 'refund_failure'
    | 'decline'
    | 'dispute'
    | 'dispute_reversal'
    | 'payout'
    | 'setup'
    | 'setup_decline';
  id: string;
  payment_intent: string | null;
  amount: number;
  currency: string;
  /** Of the request that had the effect, and of the object. */
  idempotency_key: string | null;
  metadata: FakeMetadata;
  created: number;
};

/** What a Checkout Session sells and asks for. Its intent is made of these parameters when the shopper pays. */
export type FakeCheckout = {
  lines: readonly { name: string; quantity: number; amount: number }[];
  intent: FormFields;
};

/** What a confirmation token stands for: a method that exists, or a card that becomes one when the token is used. */
export type FakeTokenizedCard = { method: string } | { card: FakeTestCard; details: FakeMethodDetails };

/** What the fields in the browser show: in wallets, for example. */
export type FakeShownSum = { amount: number; currency: string };

/** The request that is being executed. */
type FakeOrigin = { id: string | null; idempotency_key: string | null };

/** Of requests that name none. */
export const defaultVersion = '2022-11-15';

const noOrigin: FakeOrigin = { id: null, idempotency_key: null };
/** Everything that the fake knows: the books, and objects by id and by kind, in Stripe's shape. */
export class FakeWorld extends FakeBooks<FakeEffect> {
  readonly settings: FakeSettings;
  /** How a card behaves, by the id of its payment method. */
  readonly behaviours = new Map<string, FakeBehaviour>();
  /** Test tokens that were taught, by name. */
  readonly taught = new Map<string, FakeBehaviour>();
  /** The ids of customers that were deleted. */
  readonly deleted = new Set<string>();
  /** Payment methods that were used without a customer, or were detached: Stripe does not take them again. */
  readonly spent = new Set<string>();
  /** Payment methods that are set up for payments without the cardholder. */
  readonly setUp = new Set<string>();
  /** The intents, of payments and setups, whose challenge is open, by the token in the address of its page. */
  readonly challenges = new Map<string, string>();
  /** What a Checkout Session sells and asks for, beside what Stripe shows of it, by its id. */
  readonly checkouts = new Map<string, FakeCheckout>();
  /** The Checkout Sessions of intents, of payments and setups. */
  readonly checkoutOf = new Map<string, string>();
  /** The cards that confirmation tokens stand for. */
  readonly tokenized = new Map<string, FakeTokenizedCard>();
  /** What the fields in the browser were told that is to be paid, by the id of the token that they made. */
  readonly shownSums = new Map<string, FakeShownSum>();
  /** The payout that contains a balance transaction. */
  readonly payoutOf = new Map<string, string>();
  /** Called for each event. */
  onEvent: (event: FakeEvent) => void = () => {};
  /** Where the fake serves, for links to its own pages. */
  url = '';
  readonly #objects = new Map<string, FakeObject>();
  readonly #kinds = new Map<string, FakeObject[]>();
  #origin = noOrigin;
  #apiVersion = defaultVersion;
  #requestVersion = defaultVersion;

  constructor(settings: FakeSettings) {
    super(settings.clock);
    this.settings = settings;
  }

  newId(prefix: string): string {
    return `${prefix}_${randomText(24)}`;
  }

  add<T extends FakeObject>(object: T): T {
    this.#objects.set(object.id, object);
    const kind = this.#kinds.get(object.object);
    if (kind === undefined) this.#kinds.set(object.object, [object]);
    else kind.push(object);
    return object;
  }

  find(id: string): FakeObject | undefined {
    return this.#objects.get(id);
  }

  /** For ids that the fake itself has written. */
  get<T extends FakeObject>(id: string): T {
    return this.#objects.get(id) as T;
  }

  /** Oldest first. */
  all<T extends FakeObject>(object: T['object']): readonly T[] {
    return (this.#kinds.get(object) ?? []) as T[];
  }

  /** Runs a request. Its events and effects name it. */
  within<T>(origin: FakeOrigin, apiVersion: string | undefined, run: () => T): T {
    this.#origin = origin;
    this.#requestVersion = apiVersion ?? defaultVersion;
    if (apiVersion !== undefined) this.#apiVersion = apiVersion;
    try {
      return run();
    } finally {
      this.#origin = noOrigin;
    }
  }

  /** The version of the API that the request names. */
  get requestVersion(): string {
    return this.#requestVersion;
  }

  /** An event with the object as it is now. */
  report(type: FakeEvent['type'], object: object, previous_attributes?: object): void {
    const event: FakeEvent = {
      id: this.newId('evt'),
      object: 'event',
      api_version: this.#apiVersion,
      created: this.seconds(),
      data: structuredClone({ object, ...(previous_attributes === undefined ? {} : { previous_attributes }) }),
      livemode: this.settings.livemode,
      pending_webhooks: 0,
      request: this.#origin,
      type,
    };
    this.add(event);
    this.onEvent(event);
  }

  record(effect: Omit<FakeEffect, 'created' | 'idempotency_key'>): void {
    const { idempotency_key } = this.#origin;
    this.enter({ ...effect, idempotency_key, created: this.seconds() });
  }
}
