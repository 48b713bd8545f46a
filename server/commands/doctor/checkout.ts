import https from 'node:https';
import { type Config, localUrl, ownCardFieldsMean } from '../../config.ts';
import { samplePage, sampleToken } from '../../resources/selling/checkout_page/sample.ts';
import { sessionPages } from '../../resources/selling/checkout_sessions/token.ts';
import { type Finding, fine, wrong } from './finding.ts';

const patienceMs = 10_000;
const bytesMax = 1_048_576;

type FetchedPage = { status: number; policy: string; body: string };

/** Fetches the page that customers pay on, as a browser gets it, and compares it with what this version sends. */
export async function checkCheckout({ publicUrl, port, ownCardFields }: Config): Promise<Finding[]> {
  const address = `${publicUrl ?? localUrl(port)}${sessionPages.path}${sampleToken}`;
  // A gateway for development has a certificate of its own, which is not trusted everywhere.
  const isTrusted = publicUrl !== undefined;
  const own = ownCardFields ? [fine('checkout', ownCardFieldsMean)] : [];
  try {
    return [...own, ...compare(address, await fetchPage(address, isTrusted))];
  } catch (error) {
    const reason = (error as Error).message;
    return [
      ...own,
      wrong('checkout', `${address} cannot be fetched (${reason}): start the server, or correct PUBLIC_URL.`),
    ];
  }
}

export function compare(address: string, { status, policy, body }: FetchedPage): Finding[] {
  const expected = samplePage();
  if (status !== expected.status)
    return [
      wrong('checkout', `${address} answers with ${status}: is this the address of this gateway, in this version?`),
    ];
  const ours = scriptsIn(expected.body);
  const theirs = scriptsIn(body);
  const changed = theirs.filter((script) => !ours.includes(script));
  const remedy = 'Something between this server and its customers changes the page: find it before anybody pays.';
  const findings = [
    ...changed.map((script) =>
      wrong('checkout', `${address} has a script that is not ours: ${script.slice(0, 120)}. ${remedy}`),
    ),
    ...(policy === expected.headers?.['Content-Security-Policy']
      ? []
      : [wrong('checkout', `${address} has another Content-Security-Policy than this version sends. ${remedy}`)]),
    ...(changed.length === 0 && body !== expected.body
      ? [
          wrong(
            'checkout',
            `${address} differs from what this version sends. ${remedy} Or the server runs another version.`,
          ),
        ]
      : []),
  ];
  const count = `${ours.length} scripts`;
  return findings.length > 0
    ? findings
    : [fine('checkout', `the page at ${address} is unchanged: ${count}, and its policy`)];
}

const scriptsIn = (html: string): readonly string[] => html.match(/<script\b[^>]*>[\s\S]*?<\/script>/gi) ?? [];

function fetchPage(address: string, isTrusted: boolean): Promise<FetchedPage> {
  const { promise, resolve, reject } = Promise.withResolvers<FetchedPage>();
  const options = { agent: false, timeout: patienceMs, rejectUnauthorized: isTrusted } as const;
  const request = https.get(address, options, (response) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > bytesMax) request.destroy(new Error('the answer is too long'));
      else pieces.push(piece);
    });
    response.on('end', () => {
      const policy = String(response.headers['content-security-policy'] ?? '');
      resolve({ status: response.statusCode ?? 0, policy, body: Buffer.concat(pieces).toString() });
    });
    response.on('error', reject);
  });
  request.on('timeout', () => request.destroy(new Error('no answer in time')));
  request.on('error', reject);
  return promise;
}
