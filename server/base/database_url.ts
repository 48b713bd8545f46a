/** The capabilities that a session needs, by libpq's names (`target_session_attrs`). */
export const targets = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
export type Target = (typeof targets)[number];

export type Host = { host: string; port: string };

export type DatabaseUrl = {
  /** In the order in which they are tried. A host may be empty: the driver's default. */
  hosts: readonly [Host, ...Host[]];
  target: Target | undefined;
  /** Command-line options for the server process, as the operator gives them: `-c search_path=shop`, or a provider's `endpoint=…`. */
  options: string;
  /** The address of the first host, for the driver, with nothing in it that Tollgate sets itself. */
  forDriver: string;
};

/** The problem with an address and its remedy, in a sentence. It never repeats the address, which has a password. */
export class DatabaseUrlError extends Error {}

/**
 * The only parameters that reach the driver. Some others would replace what Tollgate sets itself: `application_name`, time-outs. The
 * rest has no effect on the driver, such as `channel_binding` in the addresses of some providers.
 */
const passedOn = new Set(['user', 'password', 'ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation']);

/** The driver treats these modes like verify-full, and warns in each process that it may do otherwise one day. */
const strictModes = new Set(['prefer', 'require', 'verify-ca']);

const portMax = 65_535;
const unreadable =
  'cannot be read: in the user and the password write %23 for #, %2F for /, %3F for ?, %3A for :, %40 for @ and %25 for %; a port is a number up to 65535. Several hosts are separated by commas: a:5432,b:5432';

/** Reads an address as libpq does, several hosts included. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(encoded(text));
  if (parts === null) throw new DatabaseUrlError('must begin with postgres:// or postgresql://');
  const [, scheme, authority, path, query] = parts as unknown as [string, string, string, string, string | undefined];
  const given = new URLSearchParams(query);
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  const hosts = hostsOf(authority.slice(user.length), given);
  const kept = new URLSearchParams([...given].filter(([name]) => passedOn.has(name)));
  if (strictModes.has(kept.get('sslmode') ?? '')) kept.set('sslmode', 'verify-full');
  const [{ host, port }] = hosts;
  if (host !== '') kept.set('host', host); // the driver prefers it to the one before the path
  if (port !== '') kept.set('port', port);
  const forDriver = `${scheme}${user}${host === '' ? '' : 'localhost'}${path}?${kept}`;
  if (!URL.canParse(forDriver.replace('@/', '@localhost/'))) throw new DatabaseUrlError(unreadable);
  return { hosts, target: targetOf(given.get('target_session_attrs')), options: given.get('options') ?? '', forDriver };
}

/** As the driver does: what is not encoded is encoded. */
function encoded(text: string): string {
  const isOdd = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i.test(text);
  return isOdd ? encodeURI(text).replace(/%25(\d\d)/g, '%$1') : text;
}

function hostsOf(authority: string, given: URLSearchParams): DatabaseUrl['hosts'] {
  const named = given.get('host');
  const hosts =
    named === null ? authority.split(',').map(hostOf) : named.split(',').map((host) => ({ host, port: '' }));
  const ports = (given.get('port') ?? '').split(',');
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new DatabaseUrlError(
      `has ${hosts.length} hosts and ${ports.length} ports: give one port, or one for each host`,
    );
  const whole = hosts.map(({ host, port }, at) => ({
    host,
    port: (ports.length > 1 ? ports[at]! : ports[0]!) || port,
  }));
  if (!whole.every(({ port }) => /^\d*$/.test(port) && Number(port) <= portMax)) throw new DatabaseUrlError(unreadable);
  if (whole.length > 1 && whole.some(({ host }) => host === ''))
    throw new DatabaseUrlError('has an empty name in its list of hosts');
  return whole as [Host, ...Host[]];
}

/** `name`, `name:5432`, `[::1]:5432`, or `%2Fvar%2Frun` for a socket. */
function hostOf(text: string): Host {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/.exec(text);
  try {
    return { host: decodeURIComponent(match![1] ?? match![2]!), port: match![3] ?? '' };
  } catch {
    throw new DatabaseUrlError(unreadable);
  }
}

function targetOf(text: string | null): Target | undefined {
  if (text === null || (targets as readonly string[]).includes(text)) return (text as Target) ?? undefined;
  throw new DatabaseUrlError(`has an unknown target_session_attrs: use one of ${targets.join(', ')}`);
}
