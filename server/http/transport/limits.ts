/** Every limit of the transport, with its unit in its name. Tests set other values. */
export const productionLimits = {
  /** Open connections of this process. Further ones are accepted and closed immediately. */
  connectionsMax: 10_000,
  /** Of them, the connections of one address that is not a trusted proxy. Further ones are closed immediately. */
  connectionsPerAddressMax: 1_000,
  /** How long an address that has too many connections is not logged again. */
  addressNoteMs: 60_000,
  /** Connections that the kernel holds until this process accepts them. */
  backlogMax: 1_024,
  /** Request line and headers together. */
  headerBytesMax: 16 * 1_024,
  /** From the connection to its first byte, on a TLS port. */
  firstByteMs: 5_000,
  handshakeMs: 5_000,
  headersMs: 5_000,
  /** The whole request, headers and body. */
  requestMs: 15_000,
  /** An idle connection between two requests. */
  keepAliveMs: 65_000,
  /** How often header and request time-outs are checked. */
  checkEveryMs: 1_000,
  /**
   * A connection without traffic in either direction, such as that of a client that does not read its response. Longer than the answer
   * deadline of 25 s, during which a connection that waits for a response has no traffic.
   */
  stallMs: 60_000,
  /** How long, and for how many bytes, reading goes on after the last response, so that the client can read it. */
  lingerMs: 2_000,
  lingerBytesMax: 1_024 * 1_024,
  /** While closing: time for a request that has begun to arrive, or that a new connection is about to send. */
  graceMs: 1_000,
};

export type Limits = typeof productionLimits;
