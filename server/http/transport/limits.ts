/** Every limit of the transport, with its unit in its name. */
export type Limits = {
  /** Open connections of this process. Any more are accepted and closed at once. */
  connectionsMax: number;
  /** Connections that the kernel holds until this process accepts them. */
  backlogMax: number;
  /** Request line and headers together. */
  headerBytesMax: number;
  /** From the connection to its first byte, on a TLS port. */
  firstByteMs: number;
  handshakeMs: number;
  headersMs: number;
  /** The whole request, headers and body. */
  requestMs: number;
  /** An idle connection between two requests. */
  keepAliveMs: number;
  /** How often header and request time-outs are checked. */
  checkEveryMs: number;
  /** A connection without traffic in either direction, such as that of a client that does not read its response. */
  stallMs: number;
  /** How long, and for how many bytes, reading goes on after the last response, so that the client can read it. */
  lingerMs: number;
  lingerBytesMax: number;
  /** While closing: time for a request that has begun to arrive, or that a new connection is about to send. */
  graceMs: number;
};

export const productionLimits: Limits = {
  connectionsMax: 10_000,
  backlogMax: 1_024,
  headerBytesMax: 16 * 1_024,
  firstByteMs: 5_000,
  handshakeMs: 5_000,
  headersMs: 5_000,
  requestMs: 15_000,
  keepAliveMs: 65_000,
  checkEveryMs: 1_000,
  // Longer than the answer deadline of 25 s, during which a connection that waits for a response has no traffic.
  stallMs: 60_000,
  lingerMs: 2_000,
  lingerBytesMax: 1_024 * 1_024,
  graceMs: 1_000,
};
