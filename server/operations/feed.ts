/** A message of a feed. One without data only gives the client its position. */
export type FeedMessage = { id: string; data?: string };

/** A reader of a feed. */
export type FeedReader = {
  take(messages: readonly FeedMessage[]): void;
  /** Resolves when what was taken has been passed on. */
  drained(): Promise<void>;
};

/** What happens from a position on. */
export type Feed = {
  /** Where the reader is, for a reader that has got nothing for a while. */
  readonly position: string;
  /** Passes on what has happened since the position, and everything from then on. Resolves when it is up to date. */
  follow(reader: FeedReader): Promise<void>;
  leave(): void;
};

/** An answer that does not end: server-sent events, from the position in `Last-Event-ID` on, until the client leaves. */
export type Live = { live(lastEventId: string | undefined): Promise<Feed> };
