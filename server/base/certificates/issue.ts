import { type KeyObject, webcrypto, type X509Certificate } from 'node:crypto';
import { loopbackAddresses, loopbackNames, nameConstraints } from './names.ts';
import { provideReflectMetadata } from './reflect_metadata.ts';

const day = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
/** Clients such as Apple's refuse a leaf that lives longer than 397 days, counted from its first to its last. */
const leafDays = 396;
/** Backdated, because the client's clock may be behind ours. */
const backdatedDays = 1;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const nameConstraintsId = '2.5.29.30';

/** Loaded on demand: a server that is given its certificate never needs the library. */
async function library() {
  provideReflectMetadata();
  return import('@peculiar/x509');
}

/** An ECDSA key on P-256, as PEM. */
export async function makeKey(): Promise<string> {
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', pair.privateKey);
  const lines =
    Buffer.from(pkcs8)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}

/** A certificate holds whole seconds. */
function wholeSeconds(at: number): Date {
  return new Date(Math.floor(at / 1000) * 1000);
}

type Pair = { private: webcrypto.CryptoKey; public: webcrypto.CryptoKey };

async function pairOf(key: KeyObject): Promise<Pair> {
  const jwk = key.export({ format: 'jwk' });
  const publicJwk = { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y } as webcrypto.JsonWebKey;
  return {
    private: await webcrypto.subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, algorithm, false, ['sign']),
    public: await webcrypto.subtle.importKey('jwk', publicJwk, algorithm, true, ['verify']),
  };
}

/** The certificate of a new authority, which may sign leaves for `names` and loopback only. */
export async function issueAuthority(key: KeyObject, names: readonly string[], now: Date): Promise<string> {
  const x509 = await library();
  const keys = await pairOf(key);
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
  const keys = await pairOf(key);
  const signer = await pairOf(authority.key);
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
