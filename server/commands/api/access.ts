import { readFileSync } from 'node:fs';
import { apiSettings, readConfig } from '../../config.ts';
import { publicUrlOf } from '../context.ts';
import { devFileOf, readDevFile } from '../dev_file.ts';
import { readNamedFile, UsageError } from '../usage.ts';

export type AccessOptions = { apiBase?: string; apiKey?: string; apiCa?: string; live?: boolean };

/** Where requests are sent, and with which key. */
export type Access = {
  base: string;
  key: string;
  /** The certificate authority that was named, or that of the server of `tollgate dev`. */
  ca: string | undefined;
};

const keySyntax = /^[a-z]+_(test|live)_/;

/** The server of `tollgate dev` in this directory with the keys of its demo account, unless options or the environment name others. */
export function accessOf({ apiBase, apiKey, apiCa, live = false }: AccessOptions): Access {
  const given = apiSettings();
  const caFile = apiCa ?? given.ca;
  const mode = live ? 'live' : 'test';
  const dev = devServer(apiBase ?? given.base);
  const key = apiKey ?? given.key ?? (live ? dev.live_secret_key : dev.test_secret_key);
  if (key === undefined)
    throw new UsageError(
      'There is no key: give --api-key or TOLLGATE_API_KEY, or run this where "tollgate dev" has its data directory',
    );
  const ofKey = keySyntax.exec(key)?.[1];
  // A key in the environment of a shell is easily forgotten: live mode moves money, and is asked for each time.
  if (ofKey === 'live' && !live) throw new UsageError('This is a live key: add --live, or give a test key');
  if (ofKey === 'test' && live) throw new UsageError(`--live needs a live key, and this is a ${ofKey} key`);
  if (ofKey === undefined) throw new UsageError(`--api-key takes a key such as sk_${mode}_…`);
  return { base: dev.base, key, ca: caFile === undefined ? dev.ca : readCa(caFile) };
}

function readCa(file: string): string {
  const pem = readNamedFile('--api-ca', file);
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  throw new UsageError(`--api-ca takes the file of a certificate in PEM, and ${file} has none`);
}

/** The keys of the demo account are offered for its own server only: no other server may see them. */
function devServer(wanted: string | undefined) {
  const base = wanted === undefined ? undefined : checkedBase(wanted);
  const config = readConfig('command');
  const { base_url, ca_file, ...keys } = readDevFile(devFileOf(config.dataDir));
  if (base_url === undefined || (base !== undefined && base !== base_url))
    return { base: base ?? publicUrlOf(config), ca: undefined };
  return { base: base_url, ca: ca_file ? readFileSync(ca_file, 'utf8') : undefined, ...keys };
}

function checkedBase(text: string): string {
  const url = URL.parse(text);
  const isHere = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere)) return url.origin;
  throw new UsageError(
    '--api-base takes an address such as https://pay.example.com; http is for this machine alone, because the key is sent',
  );
}
