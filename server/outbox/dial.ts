import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { after } from '../base/timers.ts';
import { addressNotAllowed, SendFailure } from './failure.ts';
import type { Lookup } from './resolve.ts';
import { refuseAddresses, refuseHost, type TargetHost, type TargetRules } from './target.ts';

export type DialOptions = {
  rules: () => TargetRules;
  lookup: Lookup;
  /** For name, connection and handshake together. */
  deadlineMs: number;
  /** In PEM; by default, those that Node trusts. */
  certificateAuthorities: string | undefined;
};

/**
 * Opens connections for undici, to allowed addresses only. The address is checked where the connection is opened, because a name may
 * resolve differently than a moment ago: a literal address here, since Node does not look those up; all addresses of a name in the
 * lookup that the socket itself uses; and the remote address once more when the connection is open.
 */
export function dialer(options: DialOptions): buildConnector.connector {
  return ({ hostname, protocol, port }, callback) => {
    const isSecure = protocol === 'https:';
    const target: TargetHost = { hostname, port: Number(port) || (isSecure ? 443 : 80) };
    const refused = refuseHost(target, options.rules());
    if (refused !== undefined) return callback(addressNotAllowed(refused), null);
    const socket = open(target, isSecure, options).setNoDelay(true);
    const timer = after(options.deadlineMs, () => socket.destroy(new SendFailure('the connection took too long')));
    let isSettled = false;
    const settle = (error?: Error) => {
      if (isSettled) return;
      isSettled = true;
      timer.cancel();
      if (error === undefined) callback(null, socket);
      else callback(error, null);
    };
    socket
      .once('close', () => settle(new SendFailure('the connection broke')))
      .on('error', settle) // stays: an error after undici has released the socket must not end the process
      .once('connect', () => {
        const other = refuseAddresses([socket.remoteAddress ?? ''], target, options.rules());
        if (other !== undefined) socket.destroy(addressNotAllowed(other));
      })
      .once(isSecure ? 'secureConnect' : 'connect', () => socket.destroyed || settle());
  };
}

function open(target: TargetHost, isSecure: boolean, options: DialOptions): Socket {
  const { hostname, port } = target;
  const to = {
    host: hostname,
    port,
    lookup: checkedLookup(target, options),
    autoSelectFamily: true,
  };
  if (!isSecure) return connectTcp(to);
  return connectTls({
    ...to,
    ...(isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, '') } : {}), // an address is no server name
    ALPNProtocols: ['http/1.1'],
    ca: options.certificateAuthorities,
  });
}

function checkedLookup(target: TargetHost, { lookup, rules }: DialOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    const fail = (error: SendFailure) => callback(error, all ? [] : '', 0);
    const answer = (addresses: readonly string[]) => {
      const [first] = addresses;
      if (first === undefined) return fail(new SendFailure('the name could not be resolved'));
      const refused = refuseAddresses(addresses, target, rules());
      if (refused !== undefined) return fail(addressNotAllowed(refused));
      if (all)
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
      else callback(null, first, isIP(first));
    };
    lookup(hostname).then(answer, () => answer([]));
  };
}
