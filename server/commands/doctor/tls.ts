import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { CertificateError, readPair } from '../../base/certificates/pair.ts';
import { parseRanges } from '../../base/ip_range.ts';
import type { Config } from '../../config.ts';
import { type Finding, fine, wrong } from './finding.ts';

const dayMs = 86_400_000;
const renewedBeforeMs = 14 * dayMs;
/** 10.0.0.0/8 and fc00::/7 are the largest private networks: a larger range also has strangers in it. */
const bitsMin = { ipv4: 8, ipv6: 7 };

export function checkTls({ tls, publicUrl }: Config, now: number): Finding[] {
  if (tls.kind === 'local') return [];
  if (tls.kind === 'proxy') return checkProxies(tls.trustedProxies);
  try {
    return [checkCertificate(readPair(tls.cert, tls.key).certificate, publicUrl, now)];
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    return [wrong('tls', error.message)];
  }
}

function checkCertificate(certificate: X509Certificate, publicUrl: string | undefined, now: number): Finding {
  const [from, to] = [certificate.validFromDate, certificate.validToDate];
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const host = publicUrl === undefined ? undefined : new URL(publicUrl).hostname;
  if (to.getTime() <= now)
    return wrong('tls', `the certificate in TLS_CERT_FILE expired on ${day(to)}: renew it, and restart the server.`);
  if (from.getTime() > now)
    return wrong(
      'tls',
      `the certificate in TLS_CERT_FILE is not valid before ${day(from)}: use the current one, or correct the clock of this machine.`,
    );
  if (host !== undefined && !isFor(certificate, host))
    return wrong(
      'tls',
      `the certificate in TLS_CERT_FILE is not for ${host}, the name in PUBLIC_URL: request one for that name, or correct PUBLIC_URL.`,
    );
  const soon = to.getTime() - now < renewedBeforeMs ? '; renew it soon' : '';
  return fine('tls', `the certificate matches its key, and is valid until ${day(to)}${soon}`);
}

function isFor(certificate: X509Certificate, host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return (isIP(address) === 0 ? certificate.checkHost(host) : certificate.checkIP(address)) !== undefined;
}

function checkProxies(ranges: readonly string[]): Finding[] {
  const parsed = parseRanges(ranges);
  const wide = ranges.filter((_, at) => parsed[at]![1] < bitsMin[parsed[at]![0].kind()]);
  if (wide.length === 0) return [fine('tls', `requests come from a proxy at ${ranges.join(', ')}`)];
  return wide.map((range) =>
    wrong(
      'tls',
      `TRUSTED_PROXIES has ${range}: every client in it can pretend to use https, and to have any address. List only your proxies.`,
    ),
  );
}

export function checkPublicUrl({ purpose, publicUrl, port }: Config): Finding[] {
  if (publicUrl !== undefined) return [fine('public_url', `browsers reach this gateway at ${publicUrl}`)];
  if (purpose === 'dev') return [];
  return [
    wrong(
      'public_url',
      `PUBLIC_URL is missing: challenge pages would have addresses at https://localhost:${port}. Set it to the address at which browsers reach this gateway, such as https://pay.example.com.`,
    ),
  ];
}
