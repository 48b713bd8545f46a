import { errorCode, Unavailable } from '../base/errors.ts';
import { PlaceDown } from '../base/places/place_down.ts';
import { reasonOf, sqlState } from '../base/sql.ts';

/** SQLSTATEs and error codes, or beginnings of them, and what to do. The first that matches counts. */
const remedies: readonly [RegExp, string][] = [
  [/^28P01/, 'Correct the user or the password in DATABASE_URL'],
  [
    /^28/,
    'Let this role and this machine in (pg_hba.conf); if PostgreSQL demands TLS, add sslmode=verify-full to DATABASE_URL',
  ],
  [/^3D000/, 'Create that database, or correct its name in DATABASE_URL'],
  [/^42501/, 'Use the role that ran tollgate migrate: it must own the tables, and may create tables in their schema'],
  [/^25006/, 'Set DATABASE_URL to the primary, and remove default_transaction_read_only'],
  [/^53300/, 'PostgreSQL has no free connection: raise max_connections, or close other connections'],
  [/^53100/, 'The disk of the database is full: free some space'],
  [/^57P0[123]/, 'PostgreSQL is starting or stopping: try again in a moment'],
  [/^(ECONNREFUSED|ENOENT)/, 'Start PostgreSQL, or correct the host and the port in DATABASE_URL'],
  [/^(ENOTFOUND|EAI_AGAIN)/, 'Correct the host in DATABASE_URL, or check the name servers of this machine'],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timeout)/,
    'Check the network and the firewall between this machine and the database',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME/,
    'Give that server a certificate that names its address: the host in DATABASE_URL, or what Citus has of a worker',
  ],
  [
    /CERT|SIGNATURE|ISSUER|ERR_TLS/,
    'Name the certificate authority of the database in DATABASE_URL: sslrootcert=/path/to/ca.pem',
  ],
  [/^a pooler in transaction mode/, 'Set the pooler to session mode, or connect directly to PostgreSQL'],
  [
    /^the session has other settings/,
    'Remove these settings from the role, the database, DATABASE_URL, or the proxy in between',
  ],
  [
    /^no host suits/,
    'Start the primary or promote a standby, or correct the hosts or target_session_attrs in DATABASE_URL',
  ],
  [/^The server does not support SSL/, 'Enable TLS in PostgreSQL (ssl = on), or remove sslmode from DATABASE_URL'],
];

/** What is wrong with the database, and what to do: two sentences. */
export function databaseTrouble(error: unknown): string {
  if (error instanceof PlaceDown) return `${error.message}. Start that server, or bring it back into the cluster.`;
  const cause = error instanceof Unavailable && error.cause !== undefined ? error.cause : error;
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  const kind = sqlState(first) ?? errorCode(first) ?? reasonOf(first);
  const remedy = remedies.find(([pattern]) => pattern.test(kind))?.[1];
  return `${reasonOf(cause)}. ${remedy ?? 'Check DATABASE_URL, and that the database is running'}.`;
}
