import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLocalCertificate } from './base/certificates/index.ts';
import { CertificateError, readPair } from './base/certificates/pair.ts';
import type { Clock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import { type Config, ConfigError } from './config.ts';
import type { Announce } from './database.ts';
import type { TransportOptions } from './http/transport/index.ts';

type Tls = TransportOptions['tls'];

export function refuseUnusableCertificate({ tls }: Pick<Config, 'tls'>): void {
  if (tls.kind !== 'files') return;
  try {
    readPair(tls.cert, tls.key);
  } catch (error) {
    throw error instanceof CertificateError ? new ConfigError([error.message]) : error;
  }
}

/** `caFile` is that of the local certificate. */
export async function readCertificate(
  config: Config,
  clock: Clock,
  announce: Announce = () => {},
): Promise<{ tls: Tls; caFile?: string }> {
  const { tls, dataDir } = config;
  if (tls.kind === 'proxy') return { tls };
  if (tls.kind === 'files') return { tls: { ...tls, kind: 'direct' } };
  if (!existsSync(join(dataDir, 'tls', 'ca.pem')))
    announce('Creating a certificate authority, and a certificate for localhost');
  const { cert, key, caFile } = await ensureLocalCertificate(join(dataDir, 'tls'), new Date(clock.now()));
  return { tls: { kind: 'direct', cert, key }, caFile };
}

/** The certificate that a running server presents. */
export class PresentedCertificate {
  /** As PEM; undefined behind a proxy, which presents its own. */
  #pem: string | undefined;
  readonly #present: (pair: { cert: string; key: string }) => void;
  readonly #log: Log;

  constructor(tls: Tls, present: (pair: { cert: string; key: string }) => void, log: Log) {
    this.#pem = tls.kind === 'direct' ? tls.cert : undefined;
    this.#present = present;
    this.#log = log;
  }

  get pem(): string | undefined {
    return this.#pem;
  }

  /**
   * Presents the certificate that the files hold now to connections from now on. If they cannot be used, the certificate in use stays, and
   * the log says why: a renewal that went wrong must not take a running server down.
   */
  reload(readConfig: () => Pick<Config, 'tls'>): void {
    try {
      const { tls } = readConfig();
      if (tls.kind !== 'files') {
        this.#log.info({}, 'SIGHUP: there is no certificate file to reload');
        return;
      }
      const { certificate } = readPair(tls.cert, tls.key);
      this.#present(tls);
      this.#pem = tls.cert;
      this.#log.info({ expires: certificate.validToDate.toISOString() }, 'the certificate was reloaded');
    } catch (error) {
      this.#log.error(
        { reason: (error as Error).message },
        'could not reload the certificate; the previous one stays in use',
      );
    }
  }
}
