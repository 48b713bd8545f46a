import { parseRanges } from '../base/ip_range.ts';
import { choiceSetting, type Setting, type SettingsReader } from '../base/setting.ts';

const tls = choiceSetting({
  name: 'TLS',
  choices: ['direct', 'proxy'],
  default: 'direct',
  meaning: '`direct`: Tollgate terminates TLS. `proxy`: a proxy in front of it does.',
});

const certificateFile: Setting = {
  name: 'TLS_CERT_FILE',
  defaultInWords: 'none; `serve` needs it',
  meaning: 'The certificate chain, in PEM. If it is unset, `dev` creates a local certificate.',
};

export const certificateKeyFile: Setting = {
  name: 'TLS_KEY_FILE',
  defaultInWords: 'none; `serve` needs it',
  meaning: 'The key of the certificate, in PEM.',
};

const trustedProxies: Setting = {
  name: 'TRUSTED_PROXIES',
  meaning: 'With `TLS=proxy`: the addresses or ranges of the proxies, separated by commas.',
};

export const tlsSettings = [tls, certificateFile, certificateKeyFile, trustedProxies];

type TlsSettings =
  | { kind: 'local' }
  | { kind: 'files'; cert: string; key: string }
  | { kind: 'proxy'; trustedProxies: string[] };

export function readTls(reader: SettingsReader): TlsSettings {
  const proxies = reader.list(trustedProxies);
  if (reader.choice(tls) === 'proxy') return { kind: 'proxy', trustedProxies: checkedProxies(reader, proxies) };
  if (proxies.length > 0) reader.problem('TRUSTED_PROXIES is set but TLS is not proxy: set TLS=proxy, or remove it.');
  const cert = reader.file(certificateFile);
  const key = reader.file(certificateKeyFile);
  if (cert !== undefined && key !== undefined) return { kind: 'files', cert, key };
  const named = [certificateFile, certificateKeyFile].filter((setting) => reader.given(setting) !== undefined);
  if (named.length === 1) reader.problem('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both.');
  else if (named.length === 0 && reader.purpose === 'serve')
    reader.problem(
      'TLS_CERT_FILE and TLS_KEY_FILE are missing: set both, or set TLS=proxy behind a proxy that terminates TLS.',
    );
  return { kind: 'local' };
}

function checkedProxies(reader: SettingsReader, proxies: string[]): string[] {
  if (proxies.length === 0)
    reader.problem(
      'TLS=proxy needs TRUSTED_PROXIES: the addresses or ranges that may forward requests, such as 10.0.0.0/8.',
    );
  try {
    parseRanges(proxies);
  } catch (error) {
    reader.problem(`TRUSTED_PROXIES has an entry that cannot be read: ${(error as Error).message}.`);
  }
  return proxies;
}
