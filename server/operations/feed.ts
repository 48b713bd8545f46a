/** A message of a feed. One without data only tells the client where it is. */
export type FeedMessage = { id: string; data?: string };

/** Whoever is told. */
export type FeedReader = {
  take(messages: readonly FeedMessage[]): void;
  /** Resolves when what was taken has been passed on. */
  drained(): Promise<void>;
};

/** What happens from a position on. */
export type Feed = {
  /** Where the reader is, for a reader that was told nothing for a while. */
  readonly position: string;
  /** Tells what has happened since the position, and from then on whatever happens. Resolves when it is up to date. */
  follow(reader: FeedReader): Promise<void>;
  leave(): void;
};

/** An answer that does not end: server-sent events, from the position in `Last-Event-ID` on, until the client leaves. */
export type Live = { live(lastEventId: string | undefined): Promise<Feed> };
