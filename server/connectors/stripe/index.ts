import { assert } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { allowedHostsSetting, type BaseRules, objectionToBase, readBaseRules } from '../api_base.ts';
import type { Connector } from '../contract.ts';
import type { ConversationTools } from '../conversation.ts';
import { createHttp } from '../http.ts';
import { type AccountForm, connector, type OpenAccount } from '../registration.ts';
import { authorize } from './authorize.ts';
import { fieldsOf, retrieveConfirmation } from './confirmations.ts';
import { StripeConversation, stripeBase } from './conversation.ts';
import { concede, contest } from './disputes.ts';
import { register, unregister } from './endpoints.ts';
import { find } from './find.ts';
import { searchLagMs } from './intents.ts';
import { cancel, capture, refund } from './later_verbs.ts';
import { accept, poll, read } from './notices.ts';
import { cancelSetup, setup } from './setups.ts';
import { statement } from './statement.ts';
import { attachToken, forget, keepCard, retrieveToken } from './tokens.ts';
import { amounts, currencies } from './units.ts';
import { identify, verify } from './verify.ts';
import { isWebhookSecret, keyMode, publishableKeyMode } from './wire.ts';

/** Stripe, by accounts with their own keys. */
export const stripe = connector<BaseRules>({
  name: 'stripe',
  needsAccount: true,
  declares: [allowedHostsSetting],
  settings: readBaseRules,
  fields: fieldsOf(stripeBase, ''),
  create: ({ clock }, rules) => ({ accounts: accountForm({ send: createHttp(), clock, rules }) }),
});

export function accountForm(tools: ConversationTools): AccountForm {
  return {
    modes: ['test', 'live'],
    credentials: [
      {
        name: 'secret_key',
        kind: 'text',
        isRequired: true,
        description: 'A secret or restricted key of Stripe (sk_…, rk_…)',
      },
      {
        name: 'webhook_secret',
        kind: 'text',
        isRequired: false,
        description: 'The signing secret (whsec_…) that Stripe shows once webhook_url is registered there',
      },
      {
        name: 'webhook_secret_previous',
        kind: 'text',
        isRequired: false,
        description: 'The signing secret before, while Stripe still signs with it',
      },
    ],
    settings: [
      {
        name: 'api_base',
        kind: 'text',
        isRequired: false,
        description: `Where Stripe is reached; ${stripeBase} by default`,
        directsCredentials: true,
      },
      {
        name: 'publishable_key',
        kind: 'text',
        isRequired: false,
        description:
          "The publishable key (pk_…), which is public: with it, the page of a checkout session has Stripe's own card fields",
      },
      {
        name: 'raw_cards',
        kind: 'flag',
        isRequired: false,
        description: 'Whether Stripe has agreed to take card numbers from this account; otherwise it takes tokens only',
      },
    ],
    objection: (account) => objectionTo(account, tools.rules),
    open: (account) => openAccount(tools, account),
  };
}

function objectionTo(
  { mode, credentials, settings }: Omit<OpenAccount, 'id' | 'tenant'>,
  rules: BaseRules,
): { param: string; reason: string } | undefined {
  const key = credentials.secret_key;
  const keyIsFor = key && keyMode(key);
  if (key !== undefined && keyIsFor === undefined)
    return {
      param: 'credentials.secret_key',
      reason: 'it must be a secret or restricted key of Stripe, such as sk_test_…',
    };
  if (keyIsFor !== undefined && keyIsFor !== mode)
    return { param: 'credentials.secret_key', reason: `it is a key for ${keyIsFor} mode, and this is ${mode} mode` };
  for (const name of ['webhook_secret', 'webhook_secret_previous']) {
    const secret = credentials[name];
    if (secret !== undefined && !isWebhookSecret(secret))
      return { param: `credentials.${name}`, reason: 'it must be a signing secret of Stripe, such as whsec_…' };
  }
  const publishable = textIn(settings.publishable_key);
  const publishableIsFor = publishable && publishableKeyMode(publishable);
  if (publishable !== undefined && publishableIsFor !== mode)
    return {
      param: 'settings.publishable_key',
      reason:
        publishableIsFor === undefined
          ? 'it must be a publishable key of Stripe, such as pk_test_…'
          : `it is a key for ${publishableIsFor} mode, and this is ${mode} mode`,
    };
  const objection = objectionToBase({ base: baseOf(settings), official: stripeBase }, rules);
  return objection === undefined ? undefined : { param: 'settings.api_base', reason: objection };
}

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

function baseOf({ api_base }: OpenAccount['settings']): string {
  return textIn(api_base) ?? stripeBase;
}

/** Of a Visa card without its cardholder it is 4 days and 18 hours: Stripe reports that it has expired ("Place a hold on a payment method"). */
const authorizationDays = 7;

/** Stripe allows 30 minutes to a day, from the moment at which it gets the request, by its own clock. */
const pageMinutes = { minMinutes: 31, maxMinutes: 24 * 60 - 1 };

/** An account may have a domain of its own for its pages, which Stripe names with each page. */
const pageOrigin = (base: string) => (base === stripeBase ? 'https://checkout.stripe.com' : base);

function openAccount(tools: ConversationTools, { id, tenant, mode, credentials, settings }: OpenAccount): Connector {
  const { secret_key: key, webhook_secret, webhook_secret_previous } = credentials;
  assert(key, `${id} has no secret key`);
  const access = { key, base: baseOf(settings) };
  const rawCards = settings.raw_cards === true;
  const publishable = textIn(settings.publishable_key);
  const secrets = [webhook_secret, webhook_secret_previous].filter((secret): secret is Secret => secret !== undefined);
  const talk = ({ deadline }: { deadline?: number } = {}) => new StripeConversation(tools, access, deadline);
  return {
    name: 'stripe',
    account: id,
    hasLocalPages: mode === 'test' || baseOf(settings).startsWith('http:'),
    place: 'remote',
    visibleAfterMs: searchLagMs,
    describe: () => ({
      currencies,
      amounts,
      partialCapture: true,
      authorizationDays,
      challenge: true,
      tokens: true,
      rawCards,
      setup: true,
      page: { ...pageMinutes, origins: [pageOrigin(baseOf(settings))] },
      ...(publishable === undefined ? {} : { fields: fieldsOf(baseOf(settings), publishable) }),
    }),
    authorize: (request) => authorize(talk(request), request, rawCards),
    capture: (request) => capture(talk(request), request),
    cancel: (request) => cancel(talk(request), request),
    refund: (request) => refund(talk(request), request),
    contest: (request) => contest(talk(request), request),
    concede: (request) => concede(talk(request), request),
    setup: (request) => setup(talk(request), request, rawCards),
    cancelSetup: (request) => cancelSetup(talk(request), request),
    find: (request) => find(talk(request), request),
    poll: (request) => poll(talk, { tenant, account: id }, request),
    inbound: {
      accept: (request, now) => accept(request, secrets, now),
      read: (request) => read(talk(), { tenant, account: id }, request),
    },
    retrieveConfirmation: (token) => retrieveConfirmation(talk(), token, tools.clock.now()),
    retrieveToken: (token) => retrieveToken(talk(), token),
    attachToken: (request) => attachToken(talk(), request),
    ...(rawCards && { keepCard: (request) => keepCard(talk(request), request.id) }),
    forget: (request) => forget(talk(), request),
    identify: () => identify(talk()),
    verify: () => verify(talk(), mode),
    register: (request) => register(talk(), id, request),
    unregister: (request) => unregister(talk(), id, request),
    statement: (request) => statement({ talk, tenant }, request),
  };
}
