import Stripe from 'stripe';
import { problemsOfAnswer } from './description.fixture.ts';

export type OfficialClient = {
  stripe: Stripe;
  /** What is wrong with the answers so far, according to Stripe's description of its API. */
  problems: string[];
  /** The headers of the last answer. */
  headers: () => Headers;
};

/** Stripe's own client, speaking to the fake. Every answer is compared with Stripe's description. */
export function officialClient({ port, secretKey }: { port: number; secretKey: string }): OfficialClient {
  const problems: string[] = [];
  let last = new Headers();
  const checkedFetch: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const { pathname } = new URL(String(input));
    const body: unknown = await answer.clone().json();
    problems.push(...problemsOfAnswer(init?.method ?? 'GET', pathname, answer.status, body));
    last = answer.headers;
    return answer;
  };
  const stripe = new Stripe(secretKey, {
    ...{ host: '127.0.0.1', port, protocol: 'http', telemetry: false },
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(checkedFetch),
  });
  return { stripe, problems, headers: () => last };
}
