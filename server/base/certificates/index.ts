import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile, modes, readIfThere, replaceFile } from './files.ts';
import { issueAuthority, issueLeaf, makeKey } from './issue.ts';
import { loopbackAddresses, loopbackNames, machineName, nameConstraints } from './names.ts';

export type LocalCertificate = {
  /** What a client has to trust. */
  caFile: string;
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
  ca: string;
};

/** Renewed while it still has this long to live, so that a server that is restarted monthly never serves an expired one. */
const renewedBeforeMs = 30 * 24 * 60 * 60 * 1000;

type Authority = { key: KeyObject; certificate: X509Certificate; pem: string };

/**
 * The certificate of a server on this machine: made on the first start, kept in `dir`, renewed by the same authority
 * when it is old or damaged. The authority is replaced only when it is itself unusable.
 *
 * The authority's key and certificate lie in one file, because two files could be torn apart by a crash or by a second
 * process in between; `ca.pem` is a copy of the half that clients may see. The server's key stays when its certificate
 * is renewed, for the same reason: whichever certificate is written last fits it.
 */
export async function ensureLocalCertificate(dir: string, now: Date, hostname?: string): Promise<LocalCertificate> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const machine = machineName(hostname);
  const named = machine ? [...loopbackNames, machine] : [...loopbackNames];

  const authority = await ensureAuthority(join(dir, 'ca-key.pem'), named, now);
  const caFile = join(dir, 'ca.pem');
  if ((await readIfThere(caFile)) !== authority.pem) await replaceFile(caFile, authority.pem, modes.public);

  const keyFile = join(dir, 'server-key.pem');
  const key = await ensureKey(keyFile);

  // A machine that was renamed since keeps its authority, whose constraints do not allow the new name.
  const names = authority.certificate.raw.includes(nameConstraints(named)) ? named : [...loopbackNames];
  const certFile = join(dir, 'server.pem');
  let cert = await readIfThere(certFile);
  if (!cert || !leafHolds(cert, key, authority, names, now)) {
    cert = await issueLeaf(createPrivateKey(key), authority, names, now);
    await replaceFile(certFile, cert, modes.public);
  }
  return { caFile, certFile, keyFile, cert, key, ca: authority.pem };
}

async function ensureAuthority(file: string, names: readonly string[], now: Date): Promise<Authority> {
  const there = await readIfThere(file);
  const kept = there === undefined ? undefined : readAuthority(there, now);
  if (kept) {
    await chmod(file, modes.secret);
    return kept;
  }
  const keyText = await makeKey();
  const text = keyText + (await issueAuthority(createPrivateKey(keyText), names, now));
  // Damaged or expired: nobody can trust what it was, so it is written over. Missing: the first process to write wins.
  if (there !== undefined) await replaceFile(file, text, modes.secret);
  const written = there === undefined ? await createFile(file, text, modes.secret) : text;
  const made = readAuthority(written, now);
  if (!made) throw new Error(`the certificate authority in ${file} is not usable`);
  return made;
}

/**
 * The authority in the text, unless it is damaged or too old to sign a leaf. One that is not valid yet is kept: then the
 * clock is wrong, and a new authority would have to be trusted anew when it is right again.
 */
function readAuthority(text: string, now: Date): Authority | undefined {
  try {
    const key = createPrivateKey(text);
    const certificate = new X509Certificate(text);
    const holds =
      certificate.ca &&
      certificate.checkPrivateKey(key) &&
      certificate.verify(certificate.publicKey) &&
      !isAging(certificate, now);
    return holds ? { key, certificate, pem: certificate.toString() } : undefined;
  } catch {
    return undefined;
  }
}

async function ensureKey(file: string): Promise<string> {
  const there = await readIfThere(file);
  if (there !== undefined && isServerKey(there)) {
    await chmod(file, modes.secret);
    return there;
  }
  const made = await makeKey();
  if (there === undefined) return await createFile(file, made, modes.secret);
  await replaceFile(file, made, modes.secret);
  return made;
}

function isServerKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

function leafHolds(cert: string, key: string, authority: Authority, names: readonly string[], now: Date): boolean {
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
