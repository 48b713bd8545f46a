import type { BackgroundLoop } from '../../operations/job.ts';
import type { Authenticator } from './authenticate.ts';
import type { SessionLookup } from './session_lookup.ts';

const everyMs = 15_000;

type Admitting = { keys: Authenticator; sessions: SessionLookup; isCluster: boolean };

/** What admission does beside the requests. Failures are ignored: the time of a key's last use is not worth a log line. */
export function admissionLoops({ keys, sessions, isCluster }: Admitting): BackgroundLoop[] {
  const flushKeys = () => keys.flushUses().catch(() => {});
  const flushSessions = () => sessions.flushUses().catch(() => {});
  const renewSeen = () => keys.renewSeen().catch(() => {});
  return [
    { name: 'key uses', everyMs, isWoken: false, run: flushKeys, finish: flushKeys },
    { name: 'session uses', everyMs, isWoken: false, run: flushSessions, finish: flushSessions },
    ...(isCluster ? [{ name: 'keys that were seen', everyMs, isWoken: false, run: renewSeen }] : []),
  ];
}
