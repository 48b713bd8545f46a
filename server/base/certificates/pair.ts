import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** The certificate and the key that an operator gave cannot be used. The message names the setting, and says what to do. */
export class CertificateError extends Error {}

/** Checks the texts of `TLS_CERT_FILE` and `TLS_KEY_FILE` before anything starts: Node finds a fault only when it makes the server. */
export function readPair(cert: string, key: string): { certificate: X509Certificate } {
  const certificate = readCertificate(cert);
  if (!certificate.checkPrivateKey(readKey(key)))
    throw new CertificateError(
      `TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE: give the key that the certificate was requested with. The server's own certificate must be the first of the chain.`,
    );
  try {
    createSecureContext({ cert, key }); // reads the rest of the chain
  } catch (error) {
    throw new CertificateError(
      `TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${(error as Error).message}. Export the chain and the key again.`,
      { cause: error },
    );
  }
  return { certificate };
}

function readCertificate(cert: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch (error) {
    throw new CertificateError(
      'TLS_CERT_FILE holds no certificate in PEM format: it must begin with -----BEGIN CERTIFICATE-----.',
      { cause: error },
    );
  }
}

function readKey(key: string): KeyObject {
  try {
    return createPrivateKey(key);
  } catch (error) {
    const remedy = /ENCRYPTED/.test(key) // in the first line of PKCS #8, or in a header of the older format
      ? 'is encrypted: give the key without a passphrase, in a file that only the server can read.'
      : 'holds no private key in PEM format: it must have a line such as -----BEGIN PRIVATE KEY-----.';
    throw new CertificateError(`TLS_KEY_FILE ${remedy}`, { cause: error });
  }
}
