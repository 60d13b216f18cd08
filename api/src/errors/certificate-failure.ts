import codes from './certificate-codes.json' with { type: 'json' };

/**
 * Codes of OpenSSL and Node for a certificate that cannot be trusted, and for one that is not valid for this name or at this time.
 * Source: nodejs.org/api/tls.html#x509-certificate-error-codes
 */
const { untrusted, invalid } = codes;

interface CertificateFailure {
  code: string;
  /** The issuer is unknown to this process, as opposed to a certificate for another name or time. */
  isUntrusted: boolean;
}

/** Details of a request that failed because of the server's certificate; undefined for any other failure. */
export function certificateFailure(thrown: unknown): CertificateFailure | undefined {
  const { code, cause } = (thrown ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && [...untrusted, ...invalid].includes(code))
    return { code, isUntrusted: untrusted.includes(code) };
  return cause === undefined ? undefined : certificateFailure(cause);
}

/** What operators can do about it; '' for any other failure. */
export function certificateAdvice(thrown: unknown): string {
  const failure = certificateFailure(thrown);
  if (!failure) return '';
  return failure.isUntrusted
    ? `its certificate is not trusted (${failure.code}): name the file of its CA in NODE_EXTRA_CA_CERTS and restart`
    : `its certificate is not valid for this address or at this time (${failure.code})`;
}
