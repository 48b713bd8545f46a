import { createPublicKey, generateKeyPair, type KeyObject, type webcrypto, type X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { loopbackAddresses, loopbackNames, nameConstraints } from './names.ts';
import { provideReflectMetadata } from './reflect_metadata.ts';

const day = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
/** Clients such as Apple's refuse a leaf that is valid for more than 397 days, the first and the last included. */
const leafDays = 396;
/** Backdated, because the client's clock may be behind ours. */
const backdatedDays = 1;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const nameConstraintsId = '2.5.29.30';

/** Loaded on demand: a server with a configured certificate never needs the library. */
async function library() {
  provideReflectMetadata();
  return import('@peculiar/x509');
}

/** An ECDSA key on P-256, as PEM. */
export async function makeKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: algorithm.namedCurve });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Certificates have times in whole seconds. */
function wholeSeconds(at: number): Date {
  return new Date(Math.floor(at / 1000) * 1000);
}

function pairOf(key: KeyObject): { private: webcrypto.CryptoKey; public: webcrypto.CryptoKey } {
  return {
    private: key.toCryptoKey(algorithm, false, ['sign']),
    public: createPublicKey(key).toCryptoKey(algorithm, true, ['verify']),
  };
}

/** The certificate of a new authority, which may sign leaves for `names` and loopback only. */
export async function issueAuthority(key: KeyObject, names: readonly string[], now: Date): Promise<string> {
  const x509 = await library();
  const keys = pairOf(key);
  const subject = [{ O: ['Tollgate'] }, { CN: ['Tollgate local authority'] }];
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: subject,
    notBefore: wholeSeconds(now.getTime() - backdatedDays * day),
    notAfter: wholeSeconds(now.getTime() + authorityDays * day),
    publicKey: keys.public,
    signingKey: keys.private,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.public),
      await x509.AuthorityKeyIdentifierExtension.create(keys.public),
      new x509.Extension(nameConstraintsId, true, nameConstraints(names)),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

/** A server certificate for `names` and loopback, signed by the authority, which it never outlives. */
export async function issueLeaf(
  key: KeyObject,
  authority: { key: KeyObject; certificate: X509Certificate },
  names: readonly string[],
  now: Date,
): Promise<string> {
  const x509 = await library();
  const keys = pairOf(key);
  const signer = pairOf(authority.key);
  const issuer = new x509.X509Certificate(authority.certificate.raw);
  const last = Math.min(now.getTime() + leafDays * day, issuer.notAfter.getTime());
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ O: ['Tollgate'] }, { CN: [loopbackNames[0]] }],
    issuer: issuer.subjectName,
    notBefore: wholeSeconds(now.getTime() - backdatedDays * day),
    notAfter: wholeSeconds(last),
    publicKey: keys.public,
    signingKey: signer.private,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.public),
      await x509.AuthorityKeyIdentifierExtension.create(signer.public),
      new x509.SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...loopbackAddresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}
