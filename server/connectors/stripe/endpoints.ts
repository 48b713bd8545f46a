import { isLoopback } from '../../base/loopback.ts';
import { Secret } from '../../base/secret.ts';
import type { ProcessorAccountId, Registered, RegistrationRequest } from '../contract.ts';
import { apiVersion, type StripeConversation } from './conversation.ts';
import { noticeTypes } from './notices.ts';
import { metadataOf, pageOf, type StripeObject, textOf } from './shapes.ts';
import { isText } from './wire.ts';

type Endpoint = { id: string; url: string; account: string | undefined; isEnabled: boolean };

/** The marks by which an endpoint is known to be the gateway's own. */
const mark = 'tollgate_account';
/** Each try under another key follows an endpoint that was made under the one before, and has been deleted since. */
const triesMax = 4;

/**
 * Has Stripe send its notices to the gateway, and show wallets on its page, where a person has not arranged that. The secret of an endpoint
 * is in the answer to its creation alone. The creation has a key, so that an answer that was lost is given again, and two that verify at the
 * same moment make one endpoint.
 */
export async function register(
  talk: StripeConversation,
  account: ProcessorAccountId,
  { noticesUrl, credentials }: RegistrationRequest,
): Promise<Registered> {
  const { webhook_secret: secret, webhook_endpoint: known } = credentials;
  const byHand = `Register ${noticesUrl} as a webhook endpoint at Stripe, and enter its signing secret as credentials.webhook_secret`;
  if (secret !== undefined && known === undefined) return { message: '' };
  if (!isPublic(noticesUrl))
    return {
      message: secret ? '' : `PUBLIC_URL is no public https address, so that nothing was registered. ${byHand}.`,
    };
  const listed = await endpointsOf(talk);
  if (listed === undefined)
    return {
      message: `Stripe does not list its webhook endpoints: the key needs the permission to write them. Verify again, or: ${byHand}.`,
    };
  const here = listed.filter(({ url }) => url === noticesUrl);
  const ours = here.filter((one) => one.account === account);
  const kept = ours.find(({ id }) => secret !== undefined && known !== undefined && isText(known, id));
  const domain = await registerDomain(talk, new URL(noticesUrl).hostname);
  if (kept !== undefined) {
    await removeAll(
      talk,
      ours.filter((one) => one !== kept),
    );
    return {
      message: joined(
        kept.isEnabled ? '' : `Stripe has disabled the webhook endpoint ${kept.id}: enable it there.`,
        domain,
      ),
    };
  }
  if (ours.length === 0 && here.length > 0)
    return {
      message: joined(
        `Stripe has the webhook endpoint ${here[0]!.id} already: enter its signing secret as credentials.webhook_secret.`,
        domain,
      ),
    };
  const made = await make(talk, account, noticesUrl);
  if (made === undefined)
    return { message: joined(`Stripe did not register the webhook endpoint. Verify again, or: ${byHand}.`, domain) };
  await removeAll(
    talk,
    ours.filter(({ id }) => id !== made.id),
  );
  const registered = { webhook_secret: made.secret, webhook_endpoint: new Secret(made.id) };
  return { message: joined(`Stripe sends its notices to ${noticesUrl} from now on.`, domain), credentials: registered };
}

/** Deletes what `register` has made, so that Stripe does not send notices to an address that nobody serves. */
export async function unregister(
  talk: StripeConversation,
  account: ProcessorAccountId,
  { noticesUrl }: Pick<RegistrationRequest, 'noticesUrl'>,
): Promise<boolean> {
  if (!isPublic(noticesUrl)) return true;
  const listed = await endpointsOf(talk);
  if (listed === undefined) return false;
  return removeAll(
    talk,
    listed.filter((one) => one.url === noticesUrl && one.account === account),
  );
}

const joined = (...sentences: string[]) => sentences.filter((one) => one !== '').join(' ');

/** All that there are: Stripe allows 16. */
async function endpointsOf(talk: StripeConversation): Promise<Endpoint[] | undefined> {
  const answer = await talk.get(['webhook_endpoints'], { limit: 100 });
  const page = answer.kind === 'done' ? pageOf(answer.object) : undefined;
  return page?.data.flatMap((one) => endpointOf(one) ?? []);
}

function endpointOf(object: StripeObject): Endpoint | undefined {
  const [id, url] = [textOf(object.id), textOf(object.url)];
  if (id === undefined || url === undefined) return undefined;
  return { id, url, account: metadataOf(object)[mark], isEnabled: object.status !== 'disabled' };
}

async function make(
  talk: StripeConversation,
  account: ProcessorAccountId,
  url: string,
): Promise<{ id: string; secret: Secret } | undefined> {
  const form = {
    url,
    enabled_events: noticeTypes,
    api_version: apiVersion,
    description: 'Tollgate',
    metadata: { [mark]: account },
  };
  let before = 'first';
  for (let tries = 0; tries < triesMax; tries += 1) {
    const answer = await talk.postRepeatedly(['webhook_endpoints'], form, `${account}/webhook/${before}`);
    const [id, secret] = answer.kind === 'done' ? [textOf(answer.object.id), textOf(answer.object.secret)] : [];
    if (id === undefined || secret === undefined) return undefined;
    const now = await talk.get(['webhook_endpoints', id]);
    if (now.kind === 'done') return { id, secret: new Secret(secret) };
    if (now.kind !== 'refused' || now.status !== 404) return undefined;
    before = id; // Stripe has repeated its answer about one that was deleted since
  }
  return undefined;
}

/** Whether none of them is left. */
async function removeAll(talk: StripeConversation, endpoints: readonly Endpoint[]): Promise<boolean> {
  let isDone = true;
  for (const { id } of endpoints) {
    const answer = await talk.delete(['webhook_endpoints', id]);
    isDone &&= answer.kind === 'done' || (answer.kind === 'refused' && answer.status === 404);
  }
  return isDone;
}

/** Without it Stripe shows no wallets on the page. What is wrong with it, or an empty text. */
async function registerDomain(talk: StripeConversation, domain_name: string): Promise<string> {
  const listed = await talk.get(['payment_method_domains'], { domain_name, limit: 1 });
  const page = listed.kind === 'done' ? pageOf(listed.object) : undefined;
  if ((page?.data.length ?? 0) > 0) return '';
  const made = page && (await talk.postRepeatedly(['payment_method_domains'], { domain_name }));
  return made?.kind === 'done'
    ? ''
    : `Apple Pay and Google Pay need ${domain_name} among the payment method domains at Stripe: register it there.`;
}

const privateNames = /(^|\.)(localhost|local|internal|lan|test|invalid)$/;

/** Whether Stripe can reach it: a name on the internet, over https. */
export function isPublic(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const isName = hostname.includes('.') && !/^[\d.]+$|^\[/.test(hostname);
  return protocol === 'https:' && isName && !isLoopback(hostname) && !privateNames.test(hostname);
}
