import { ApiError } from '../../../base/errors.ts';
import type { Mode, Tenant } from '../../../base/reads.ts';
import type { Once } from '../../../operations/executor.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import type { CheckoutLine } from '../checkout_sessions/checkout_session.ts';
import { emailForm } from '../checkout_sessions/details.ts';
import { freeUntil } from '../checkout_sessions/shown.ts';
import { sessionPages } from '../checkout_sessions/token.ts';
import {
  type AmountChoice,
  isForSale,
  type LinkChoice,
  type PaymentLink,
  type PaymentLinkId,
  soldWith,
} from '../payment_link_state/payment_link.ts';
import { countPlaces } from '../payment_link_state/places.ts';
import { linksView } from '../payment_link_state/store.ts';
import { emailCharsMax, newSessionId, referenceCharsMax } from './begin.ts';
import { sessionWith } from './terms.ts';
import { linkPages } from './token.ts';

/** What the page of a link shows: never more than anybody may know. `suspended`: the account takes no payments now. */
export type LinkView = {
  tenant: Tenant;
  id: PaymentLinkId;
  test: boolean;
  locale: string | undefined;
  cancel_url: string | undefined;
} & (
  | { sells: false; suspended: boolean; message: string | undefined }
  | {
      sells: true;
      mode: PaymentLink['mode'];
      /** Empty: nothing is paid, and the link names none. */
      currency: string;
      description: string | undefined;
      lines: readonly Pick<CheckoutLine, 'name' | 'quantity' | 'amount' | 'recurring'>[];
      /** Undefined: the customer chooses the amount, or pays nothing. */
      total: number | undefined;
      /** Of lines, and what a coupon of the merchant's takes off. */
      subtotal: number | undefined;
      discount: number | undefined;
      /** The first charge of a subscription with a trial, in epoch milliseconds. */
      free_until: number | undefined;
      quantity: { min: number; max: number; value: number } | undefined;
      choice: AmountChoice | undefined;
    }
);

/** What the address of the link, and the customer, have filled in. */
export type LinkInput = LinkChoice & { email?: string | undefined; reference?: string | undefined; address: string };

/** `goTo`: the page of the session. `problem`: what is wrong. `refused`: too many sessions, until then. */
export type BegunSession =
  | { goTo: string }
  | { problem: 'quantity' | 'amount' | 'email' | 'reference' }
  | { refused: { until: number | undefined } }
  | { soldOut: true }
  | { suspended: true };

export type LinkCalls = {
  /** Writes nothing: previews and bots visit links too. The sums are those of the quantity, if the link allows it. */
  find(token: string, address: string, quantity?: number): Promise<LinkView | undefined>;
  /** The press of the button, which makes the session. */
  begin(token: string, input: LinkInput): Promise<BegunSession | undefined>;
};

/** The id of the session makes it take effect once. */
const once: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

type Visit = { tenant: Tenant; id: PaymentLinkId; mode: Mode; address: string };

/** What the page of payment links calls. */
export function linkCalls(services: JobServices, declared: Declared): LinkCalls {
  const { reads, keyring, clock, executor, cardTesting, isSuspended, accountMode } = services;
  const visitOf = async (token: string, address: string): Promise<Visit | undefined> => {
    const named = linkPages.read(keyring, token);
    return named && { ...named, address, mode: await accountMode(named.tenant) };
  };
  // A context with a clock is one of a test clock.
  const { clock: _, ...offered } = services;
  const contextOf = (visit: Visit): Context => ({
    ...offered,
    ...visit,
    now: clock.now(),
    requestId: null,
    caller: callerOf(visit),
  });
  const read = ({ tenant, id }: Visit) => reads.one(linksView, tenant, id);
  const sells = async (link: PaymentLink) =>
    isForSale(link, link.sales_limit === null ? 0 : await countPlaces(reads, link.tenant, link.id));

  return {
    async find(token, address, quantity) {
      const visit = await visitOf(token, address);
      const link = visit && (await read(visit));
      if (visit === undefined || link === undefined) return undefined;
      const shown = {
        tenant: link.tenant,
        id: link.id,
        test: visit.mode === 'test',
        locale: link.locale === null || link.locale === 'auto' ? undefined : link.locale,
        cancel_url: link.cancel_url ?? undefined,
      };
      const suspended = await isSuspended(link.tenant);
      const offer = !suspended && (await sells(link)) ? await offerOf(contextOf(visit), link, quantity) : undefined;
      if (offer === undefined)
        return { ...shown, sells: false, suspended, message: link.inactive_message ?? undefined };
      return { ...shown, ...offer };
    },
    async begin(token, { address, email, reference, ...choice }) {
      const visit = await visitOf(token, address);
      const link = visit && (await read(visit));
      if (visit === undefined || link === undefined) return undefined;
      const problem = problemOf(link, choice, email, reference);
      if (problem !== undefined) return { problem };
      if (await isSuspended(link.tenant)) return { suspended: true };
      if (!(await sells(link))) return { soldOut: true };
      const session = newSessionId(clock.now());
      const refusal = await cardTesting.checkLink({ tenant: link.tenant, session, link: link.id, address });
      if (refusal !== undefined) return { refused: { until: refusal.until } };
      const parameters = withoutUndefined({ session, ...choice, email, reference });
      const operation = declared.operation('payment_links.begin_session');
      const { error } = await executor.change(
        { operation, caller: callerOf(visit), id: link.id, requestId: null, parameters },
        once,
      );
      if (error !== undefined) return { soldOut: true };
      return { goTo: sessionPages.pathOf({ keyring, tenant: link.tenant }, session) };
    },
  };
}

const callerOf = ({ tenant, mode, address }: Visit) =>
  ({ kind: 'shopper', name: 'customer', tenant, mode, address }) as const;

/** Undefined where a price of the link, or its coupon, sells nothing new. */
async function offerOf(context: Context, link: PaymentLink, wished: number | undefined) {
  const { amount_choice, adjustable_quantity: bounds } = link;
  const isAllowed = wished !== undefined && bounds !== null && wished >= bounds.min && wished <= bounds.max;
  const choice = { amount: amount_choice?.min, quantity: isAllowed ? wished : undefined };
  const session = await sessionWith(context, link, choice).catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 400 || error.status === 404)) return undefined;
    throw error;
  });
  if (session === undefined) return undefined;
  const lines = session.line_items ?? [];
  return {
    sells: true as const,
    mode: link.mode,
    currency: session.currency ?? '',
    description: link.description ?? undefined,
    lines: lines.map(({ name, quantity, amount, recurring }) => ({
      name,
      quantity,
      amount,
      ...(recurring && { recurring }),
    })),
    total: amount_choice === null && link.mode !== 'setup' ? session.amount_total : undefined,
    subtotal: session.amount_subtotal ?? undefined,
    discount: session.amount_discount ?? undefined,
    free_until: await freeUntil(context, session),
    quantity: bounds === null ? undefined : { ...bounds, value: lines[0]!.quantity },
    choice: amount_choice ?? undefined,
  };
}

function problemOf(link: PaymentLink, choice: LinkChoice, email = '', reference = '') {
  if (email !== '' && (email.length > emailCharsMax || !emailForm.test(email))) return 'email';
  if (reference.length > referenceCharsMax) return 'reference';
  const sold = soldWith(link, choice);
  return typeof sold === 'string' ? sold : undefined;
}

function withoutUndefined(values: object) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
}
