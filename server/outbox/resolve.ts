import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name, IPv4 and IPv6. For an unknown name it rejects or resolves to none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

const queryMs = 2_000;
const queryTries = 2; // the second waits twice as long

/**
 * Queries the name servers directly. The system's own lookup blocks one of four threads while it waits: four names whose servers never
 * answer would stop all webhooks, and everything else that uses these threads.
 * @param servers for tests; by default, those of the system.
 */
export function nameLookup(servers?: readonly string[]): Lookup {
  const resolver = new Resolver({ timeout: queryMs, tries: queryTries });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    if (isLocalName(hostname)) return (await lookup(hostname, { all: true })).map(({ address }) => address);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** Names of the hosts file or the local network, which name servers may not know. No merchant's name server answers for them. */
function isLocalName(hostname: string): boolean {
  return /^[^.]+\.?$|\.(localhost|local|internal)\.?$/i.test(hostname);
}
