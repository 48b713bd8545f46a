/** Thrown while connecting, with a sentence that can be shown to the merchant. */
export class SendFailure extends Error {}

export const addressNotAllowed = (reason: string) => new SendFailure(`the address is not allowed: ${reason}`);

const certificateReasons: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'it was issued by an authority that is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it was issued by an authority that is not known, or an intermediate is missing',
  UNABLE_TO_GET_ISSUER_CERT: 'it was issued by an authority that is not known, or an intermediate is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it was issued by an authority that is not known, or an intermediate is missing',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
};

const sentences: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  EADDRNOTAVAIL: 'the address cannot be reached',
  ETIMEDOUT: 'the address cannot be reached',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_INVALID_ARG: 'the request could not be made',
};

/** The failure as a sentence for the merchant. The error's own message is not used: it may name addresses of the operator's network. */
export function failureSentence(error: unknown): string {
  if (error instanceof SendFailure) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = certificateReasons[code] ?? (/CERT|CRL|CA_|CHAIN/.test(code) ? 'it cannot be verified' : undefined);
  if (reason !== undefined) return `the certificate is not valid: ${reason}`;
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return 'a secure connection could not be agreed upon';
  if (isBadAnswer(error)) return 'the answer is not valid HTTP';
  return sentences[code] ?? 'the connection broke';
}

/** Errors of undici's parser have a name but no code; a response without a request has only a message. */
function isBadAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'HTTPParserError' || error.message === 'bad response' || error.message === 'bad upgrade';
}
