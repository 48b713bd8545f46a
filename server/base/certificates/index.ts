import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, ifThere, replaceFile } from '../files.ts';
import { issueAuthority, issueLeaf, makeKey } from './issue.ts';
import { loopbackAddresses, loopbackNames, machineName, nameConstraints } from './names.ts';

export type LocalCertificate = {
  /** The certificate that a client has to trust. */
  caFile: string;
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
  ca: string;
};

/** A certificate is renewed this long before it expires, so that a server that is restarted monthly never serves an expired one. */
const renewedBeforeMs = 30 * 24 * 60 * 60 * 1000;
const modes = { secret: 0o600, public: 0o644 };

type Authority = { key: KeyObject; certificate: X509Certificate; pem: string };

/**
 * The certificate of a server on this machine: made on the first start, kept in `dir`, renewed by the same authority when it is old or
 * damaged. The authority is replaced only when it is itself unusable.
 *
 * The authority's key and certificate are in one file, because a crash or a second process could leave two files that do not match;
 * `ca.pem` is a copy of the half that clients may see. The server's key stays when its certificate is renewed, for the same reason:
 * whichever certificate is written last matches the key.
 */
export async function ensureLocalCertificate(dir: string, now: Date, hostname?: string): Promise<LocalCertificate> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const machine = machineName(hostname);
  const named = machine ? [...loopbackNames, machine] : [...loopbackNames];

  const authority = await ensureAuthority(join(dir, 'ca-key.pem'), named, now);
  const caFile = join(dir, 'ca.pem');
  if ((await ifThere(readFile(caFile, 'utf8'))) !== authority.pem)
    await replaceFile(caFile, authority.pem, modes.public);

  const keyFile = join(dir, 'server-key.pem');
  const key = await ensureSecret(keyFile, isServerKey, makeKey);

  // A machine that was renamed since keeps its authority, whose constraints do not allow the new name.
  const names = authority.certificate.raw.includes(nameConstraints(named)) ? named : [...loopbackNames];
  const certFile = join(dir, 'server.pem');
  let cert = await ifThere(readFile(certFile, 'utf8'));
  if (!cert || !isLeafUsable(cert, key, authority, names, now)) {
    cert = await issueLeaf(createPrivateKey(key), authority, names, now);
    await replaceFile(certFile, cert, modes.public);
  }
  return { caFile, certFile, keyFile, cert, key, ca: authority.pem };
}

async function ensureAuthority(file: string, names: readonly string[], now: Date): Promise<Authority> {
  const isUsable = (text: string) => readAuthority(text, now) !== undefined;
  const text = await ensureSecret(file, isUsable, async () => {
    const key = await makeKey();
    return key + (await issueAuthority(createPrivateKey(key), names, now));
  });
  const authority = readAuthority(text, now);
  if (!authority) throw new Error(`the certificate authority in ${file} is not usable`);
  return authority;
}

/** The text of the file, if it is usable; else a new one. */
async function ensureSecret(
  file: string,
  isUsable: (text: string) => boolean,
  make: () => Promise<string>,
): Promise<string> {
  const there = await ifThere(readFile(file, 'utf8'));
  if (there !== undefined && isUsable(there)) {
    await chmod(file, modes.secret);
    return there;
  }
  const made = await make();
  if (there === undefined) return createFile(file, made, modes.secret);
  await replaceFile(file, made, modes.secret); // damaged or expired: nothing depends on it
  return made;
}

/**
 * The authority in the text, unless it is damaged or too old to sign a leaf. An authority that is not valid yet is kept: the clock must
 * be wrong, and clients would have to trust a new authority once it is right again.
 */
function readAuthority(text: string, now: Date): Authority | undefined {
  try {
    const key = createPrivateKey(text);
    const certificate = new X509Certificate(text);
    const isUsable =
      certificate.ca &&
      certificate.checkPrivateKey(key) &&
      certificate.verify(certificate.publicKey) &&
      !isAging(certificate, now);
    return isUsable ? { key, certificate, pem: certificate.toString() } : undefined;
  } catch {
    return undefined;
  }
}

function isServerKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

function isLeafUsable(cert: string, key: string, authority: Authority, names: readonly string[], now: Date): boolean {
  try {
    const leaf = new X509Certificate(cert);
    return (
      leaf.checkPrivateKey(createPrivateKey(key)) &&
      leaf.checkIssued(authority.certificate) &&
      leaf.verify(authority.certificate.publicKey) &&
      leaf.validFromDate <= now &&
      !isAging(leaf, now) &&
      names.every((name) => leaf.checkHost(name) !== undefined) &&
      loopbackAddresses.every((address) => leaf.checkIP(address) !== undefined)
    );
  } catch {
    return false;
  }
}

function isAging(certificate: X509Certificate, now: Date): boolean {
  return certificate.validToDate.getTime() - now.getTime() < renewedBeforeMs;
}
